import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { percentile } from './append-load.ts'
import { stamp } from './bench-model.ts'
import { forkServer } from './fork-server.ts'
import { formatTable } from './format-table.ts'
import { ask, inParallel, read } from './readers.ts'

const RUNS = 100
const TOKENS = 250
const SUBJECTS = [
  ['bare node:http', 'bare'],
  ['AI SDK route, nothing kept', 'ai-sdk-route'],
  ['the spine alone', 'spine'],
] as const

/** Measures how long after the model said it a token is at its reader, with 100 runs at 50 tokens a second. */
export async function measureTokenLatency(): Promise<string> {
  const rows: string[][] = []
  for (const [name, role] of SUBJECTS) {
    const server = await forkServer(role, { TOKENS, PACE: 50, STAMP: 1 })
    await inParallel(20, () => read(ask(server.url)))
    const late = (await inParallel(RUNS, () => delaysOf(server.url))).flat()
    await server.end()
    rows.push([name, ...[0.5, 0.99].map((share) => percentile(late, share).toFixed(1))])
  }
  const table = formatTable(['', 'p50', 'p99'], rows)
  return `from the model to the reader, ${RUNS} runs × 50 tokens a second (ms)\n${table}`
}

async function delaysOf(url: string): Promise<number[]> {
  const delays: number[] = []
  for await (const chunk of await ask(url)) {
    const now = Number(stamp())
    for (const [, said] of String(chunk).matchAll(/(\d{13}\.\d\d) /g)) delays.push(now - Number(said))
  }
  return delays
}

const SETTLE_MS = 30_000
const WATCH_MS = 30_000

/** Measures what an unused server does. */
export async function measureIdleServer(): Promise<string> {
  if (process.platform !== 'linux') return 'an idle server: only Linux counts its wake-ups'
  const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
  const bin = join(import.meta.dirname, '../apps/server/src/bin.ts')
  const child = spawn(process.execPath, [bin, '--port', '0', '--home', home, '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  await pause(SETTLE_MS)
  const before = await countWork(child.pid ?? 0)
  await pause(WATCH_MS)
  const after = await countWork(child.pid ?? 0)
  child.kill('SIGTERM')
  await exit
  await rm(home, { recursive: true })
  const cpu = ((after.cpuMs - before.cpuMs) / WATCH_MS) * 100
  const wakes = (after.wakes - before.wakes) / (WATCH_MS / 1000)
  return `an idle server: ${cpu.toFixed(2)} % of a core, ${wakes.toFixed(1)} wake-ups a second of all its threads`
}

/** Of all threads of a process, since they began. https://docs.kernel.org/scheduler/sched-stats.html */
async function countWork(pid: number): Promise<{ cpuMs: number; wakes: number }> {
  const folder = `/proc/${pid}/task`
  let [cpuMs, wakes] = [0, 0]
  for (const thread of await readdir(folder)) {
    cpuMs += Number((await readFile(join(folder, thread, 'schedstat'), 'utf8')).split(' ')[0]) / 1e6
    const status = await readFile(join(folder, thread, 'status'), 'utf8')
    wakes += Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1])
  }
  return { cpuMs, wakes }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
