import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { median } from './readers.ts'

/** Measures the time from the command to its ready line, with an existing home and compile cache. */
export async function measureColdStart(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
  try {
    await ready(home)
    const times: number[] = []
    for (let turn = 0; turn < 7; turn++) times.push(await ready(home))
    return `from the command to ready, not built, second start: ${median(times).toFixed(0)} ms (p50 of ${times.length})`
  } finally {
    await rm(home, { recursive: true })
  }
}

async function ready(home: string): Promise<number> {
  const bin = join(import.meta.dirname, '../apps/server/src/bin.ts')
  const began = performance.now()
  const child = spawn(process.execPath, [bin, '--port', '0', '--home', home, '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  const ms = performance.now() - began
  child.kill('SIGTERM')
  await exit
  return ms
}
