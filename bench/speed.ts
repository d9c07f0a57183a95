import { forkServer, type Server } from './fork-server.ts'
import { ask, join, median, read, inParallel, type Reading } from './readers.ts'
import { formatTable } from './format-table.ts'

/** Measures CPU and time to the first token, compared with bare `node:http` that writes the same bytes. */

const SUBJECTS = [
  ['bare node:http', 'bare'],
  ['AI SDK route, nothing kept', 'ai-sdk-route'],
  ['the spine alone', 'spine'],
  ['the default engine', 'default'],
  ['pi engine', 'pi'],
] as const

const us = (value: number): string => value.toFixed(1)
const times = (value: number, of: number): string => `${(value / of).toFixed(1)} ×`

/** Measures CPU per token in µs, of all threads, for answers of 1,000 tokens at full speed. */
export async function measureNativeSpeed(): Promise<string> {
  const rows = await measureEach(async (role) => {
    const server = await forkServer(role, { TOKENS: 1000 })
    await warm(server, 30)
    const one = await cpuPerToken(server, 1000 * 60, async () => {
      for (let turn = 0; turn < 60; turn++) await read(ask(server.url))
    })
    const twenty = await cpuPerToken(server, 1000 * 100, async () => {
      for (let turn = 0; turn < 5; turn++) await inParallel(20, () => read(ask(server.url)))
    })
    await server.end()
    return [one, twenty]
  })
  return `CPU a token at native speed, 1,000 tokens a run, one reader a run (µs)\n${costs(['1 run', '20 runs'], rows)}`
}

/** Measures 100 runs of 1,000 tokens at 50 per second with one reader each: CPU, event loop, wire and disk. */
export async function measurePacedRuns(): Promise<string> {
  const tokens = 1000
  const details: string[] = []
  const rows = await measureEach(async (role, name) => {
    const server = await forkServer(role, { TOKENS: tokens, PACE: 50 })
    await inParallel(20, () => read(ask(server.url)))
    const before = await server.report()
    let readings: Reading[] = []
    const cpu = await cpuPerToken(server, tokens * 100, async () => {
      readings = await inParallel(100, () => read(ask(server.url)))
    })
    const { stallMs, worstMs, written } = await server.report()
    const wire = readings.reduce((sum, { bytes }) => sum + bytes, 0) / (tokens * 100)
    const disk = (await server.end()).disk / (tokens * 120)
    const held = before.held / 2 ** 20
    details.push(
      `${name}: event loop p99 ${us(stallMs)} ms (worst ${us(worstMs)}); ` +
        `${wire.toFixed(0)} bytes a token on the wire, ` +
        `${disk.toFixed(0)} on the disk (6 of them text), ${(written / (tokens * 100)).toFixed(0)} written; ` +
        `${held.toFixed(0)} MB held`,
    )
    return [cpu]
  })
  const title = 'CPU a token, 100 runs × 50 tokens a second, one reader each (µs)'
  return [title, costs(['100 runs'], rows), ...details].join('\n')
}

/** Measures each further live reader of one run, compared with writing ready bytes. */
export async function measureManyReaders(): Promise<string> {
  const tokens = 300
  const cost = async (role: string, readers: number): Promise<number> => {
    const server = await forkServer(role, { TOKENS: tokens, PACE: 50, GATE: 1 })
    const first = await ask(server.url)
    const more = await inParallel(readers - 1, () =>
      role === 'bare-fan-out' ? ask(server.url) : join(server.url, String(first.headers['x-run-id'])),
    )
    const cpu = await cpuPerToken(server, tokens, async () => {
      server.open()
      await Promise.all([first, ...more].map((each) => read(Promise.resolve(each))))
    })
    await server.end()
    return cpu
  }
  const further = async (role: string): Promise<number> =>
    ((await cost(role, 200)) - (await cost(role, 1))) / 199
  const [floor, ours] = [await further('bare-fan-out'), await further('spine')]
  return `each further live reader of one run, 1 → 200 readers, µs of CPU a token\n${formatTable(
    ['', 'µs', 'ratio'],
    [
      ['bare fan-out of ready bytes', us(floor), times(floor, floor)],
      ['the spine', us(ours), times(ours, floor)],
    ],
  )}`
}

/** Measures the time from the request to the first token at the client. */
export async function measureFirstToken(): Promise<string> {
  const rows = await measureEach(async (role) => {
    const server = await forkServer(role, { TOKENS: 5 })
    await warm(server, 40)
    const alone: number[] = []
    for (let turn = 0; turn < 60; turn++) alone.push((await read(ask(server.url))).firstMs)
    const crowded: number[] = []
    for (let turn = 0; turn < 15; turn++) {
      const burst = await inParallel(20, () => read(ask(server.url)))
      crowded.push(...burst.map(({ firstMs }) => firstMs))
    }
    await server.end()
    return [median(alone), median(crowded)]
  })
  const [floor] = rows
  const lines = rows.map(({ name, figures: [alone = 0, crowded = 0] }) => [
    name,
    us(alone),
    `+${us(alone - (floor?.figures[0] ?? 0))}`,
    us(crowded),
    `+${us(crowded - (floor?.figures[1] ?? 0))}`,
  ])
  const table = formatTable(['', 'idle', 'added', '20 at once', 'added'], lines)
  return `time to the first token at the client, p50 (ms)\n${table}`
}

async function measureEach(
  measure: (role: string, name: string) => Promise<number[]>,
): Promise<{ name: string; figures: number[] }[]> {
  const rows: { name: string; figures: number[] }[] = []
  for (const [name, role] of SUBJECTS) rows.push({ name, figures: await measure(role, name) })
  return rows
}

async function warm(server: Server, answers: number): Promise<void> {
  for (let turn = 0; turn < answers; turn++) await read(ask(server.url))
  await inParallel(20, () => read(ask(server.url)))
}

/** Returns the CPU time per token, in µs. */
async function cpuPerToken(server: Server, tokens: number, act: () => Promise<void>): Promise<number> {
  await server.mark()
  await act()
  return (await server.report()).cpu / tokens
}

function costs(heads: readonly string[], rows: readonly { name: string; figures: number[] }[]): string {
  const [floor] = rows
  return formatTable(
    ['', ...heads.flatMap((head) => [head, 'ratio'])],
    rows.map(({ name, figures }) => [
      name,
      ...figures.flatMap((figure, column) => [
        us(figure),
        times(figure, floor?.figures[column] ?? Number.NaN),
      ]),
    ]),
  )
}
