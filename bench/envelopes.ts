import { forkServer } from './fork-server.ts'
import { read, send, inParallel, type Reading } from './readers.ts'
import { formatTable } from './format-table.ts'

/** Compares full-state frames with incremental ones. */

const CASES = [
  ['10,000 tokens at native speed', { TOKENS: 10_000 }, 4],
  ['20 runs × 500 tokens, 50 a second', { TOKENS: 500, PACE: 50 }, 20],
] as const
const MODES = ['incremental', 'full'] as const

export async function measureEnvelopes(): Promise<string> {
  const rows: string[][] = []
  for (const [what, env, runs] of CASES) {
    const figures: { cpu: number; bytes: number }[] = []
    for (const mode of MODES) {
      const server = await forkServer('spine', env)
      await inParallel(2, () => answer(server.url, mode))
      await server.mark()
      const readings = await inParallel(runs, () => answer(server.url, mode))
      const { cpu } = await server.report()
      await server.end()
      const tokens = runs * env.TOKENS
      figures.push({
        cpu: cpu / tokens,
        bytes: readings.reduce((sum, { bytes }) => sum + bytes, 0) / tokens,
      })
    }
    const [incremental = NONE, full = NONE] = figures
    rows.push([
      what,
      incremental.cpu.toFixed(1),
      full.cpu.toFixed(1),
      `${(full.cpu / incremental.cpu).toFixed(2)} ×`,
      incremental.bytes.toFixed(0),
      full.bytes.toFixed(0),
      `${(full.bytes / incremental.bytes).toFixed(2)} ×`,
    ])
  }
  const heads = ['', 'CPU, increments', 'full', 'ratio', 'bytes, increments', 'full', 'ratio']
  return `envelopes, a token: µs of CPU, and bytes on the wire\n${formatTable(heads, rows)}`
}

const NONE = { cpu: Number.NaN, bytes: Number.NaN }

function answer(url: string, responseMode: (typeof MODES)[number]): Promise<Reading> {
  const body = { message: 'go', responseMode }
  return read(send(`${url}/bench/chat?protocol=envelope`, JSON.stringify(body)))
}
