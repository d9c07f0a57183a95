import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Comparison } from './comparison.ts'
import { forkServer } from './fork-server.ts'
import { percentile } from './append-load.ts'
import { ask, inParallel, median, read, send } from './readers.ts'

const ROUNDS = 5
const STOPS = 20
const KILLS = 10
/** Runs that do not end by themselves. */
const ENDLESS = { TOKENS: 1_000_000, PACE: 50 }

/**
 * Time to the first token at the client, in turn of a server on SQLite, one on PostgreSQL, bare `node:http` and a
 * route of the AI SDK.
 */
export async function compareFirstTokens(url: string): Promise<Comparison[]> {
  const [sqlite, postgres, bare, aiSdk] = await Promise.all([
    openContestant('spine'),
    openContestant('spine', { BENCH_DATABASE: url }),
    openContestant('bare'),
    openContestant('ai-sdk-route'),
  ])
  const all = [sqlite, postgres, bare, aiSdk]
  for (let round = 0; round < ROUNDS; round++) for (const each of all) await each.measure()
  for (const each of all) await each.end()
  const over = (each: Contestant): number => median(each.crowded) - median(bare.crowded)
  return [
    {
      what: 'first token, idle: p50',
      unit: 'ms',
      sqlite: median(sqlite.idle),
      postgres: median(postgres.idle),
      target: { times: 2 },
    },
    {
      what: 'first token, 20 starts at once: p50',
      unit: 'ms',
      sqlite: median(sqlite.crowded),
      postgres: median(postgres.crowded),
      target: { times: 2 },
    },
    {
      what: `the same over bare node:http (a route of the AI SDK: ${over(aiSdk).toFixed(1)})`,
      unit: 'ms',
      sqlite: over(sqlite),
      target: { most: 15 },
    },
  ]
}

/** A server, and the times to the first token so far: of one start, and of 20 at once. */
type Contestant = {
  readonly idle: number[]
  readonly crowded: number[]
  measure(): Promise<void>
  end(): Promise<unknown>
}

async function openContestant(role: string, env: Record<string, string> = {}): Promise<Contestant> {
  const server = await forkServer(role, { TOKENS: 5, ...env })
  const start = async (): Promise<number> => (await read(ask(server.url))).firstMs
  for (let turn = 0; turn < 40; turn++) await start()
  await inParallel(20, start)
  const idle: number[] = []
  const crowded: number[] = []
  return {
    idle,
    crowded,
    async measure() {
      for (let turn = 0; turn < 20; turn++) idle.push(await start())
      for (let turn = 0; turn < 5; turn++) crowded.push(...(await inParallel(20, start)))
    },
    end: () => server.end(),
  }
}

/** From a stop at one node to the end of the stream at another one, while a third one drives the run. */
export async function measureStops(url: string): Promise<Comparison> {
  const env = { ...ENDLESS, BENCH_DATABASE: url }
  const [driver, follower, third] = [
    await forkServer('spine', env),
    await forkServer('spine', env),
    await forkServer('spine', env),
  ]
  const times: number[] = []
  for (let turn = 0; turn < STOPS; turn++) {
    const answer = await ask(driver.url)
    const runId = String(answer.headers['x-run-id'])
    const stream = await follow(follower.url, runId)
    await untilSaid(stream, '"text.delta"')
    const began = performance.now()
    const stopping = stop(third.url, runId)
    await untilSaid(stream, '"run.cancelled"')
    times.push(performance.now() - began)
    await stopping
    answer.destroy()
  }
  await Promise.all([driver, follower, third].map((each) => each.end()))
  return { what: 'stop from a third node: p50', unit: 'ms', postgres: median(times), target: { most: 100 } }
}

/** From the kill of a run's node to the next bytes at a reader of another one, which continues the run. */
export async function measureKills(url: string): Promise<Comparison> {
  // A process that is killed leaves its home.
  const homes = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
  const env = { ...ENDLESS, BENCH_DATABASE: url, TMPDIR: homes }
  const times: number[] = []
  const survivor = await forkServer('spine', env)
  for (let turn = 0; turn < KILLS; turn++) {
    const driver = await forkServer('spine', env)
    const answer = await ask(driver.url)
    answer.on('error', () => undefined)
    const runId = String(answer.headers['x-run-id'])
    const stream = await follow(survivor.url, runId)
    await untilSaid(stream, '"text.delta"')
    const began = performance.now()
    await driver.kill()
    await untilSaid(stream, '"run.resumed"')
    times.push(performance.now() - began)
    stream.destroy()
    await stop(survivor.url, runId)
  }
  await survivor.end()
  await rm(homes, { recursive: true })
  const p99 = percentile(times, 0.99)
  return {
    what: `kill -9 to the next entry, ${KILLS} kills: p99`,
    unit: 'ms',
    postgres: p99,
    target: { most: 2000 },
  }
}

function follow(url: string, runId: string): Promise<IncomingMessage> {
  return send(`${url}/v1/runs/${runId}/events?protocol=native`)
}

async function stop(url: string, runId: string): Promise<void> {
  await read(send(`${url}/bench/chat/stop`, JSON.stringify({ runId })))
}

/** Takes a stream up to a word. The stream stays open. */
async function untilSaid(stream: IncomingMessage, word: string): Promise<void> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false }))
    if ((chunk as Buffer).includes(word)) return
  throw new Error(`The stream ended without ${word}.`)
}
