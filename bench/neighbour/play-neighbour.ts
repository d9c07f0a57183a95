import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { nextMessage } from '../../chaos/server-node.ts'
import { percentile } from '../append-load.ts'
import type { Target } from './attack.ts'
import type { AttackerReport, Play } from './attacker.ts'
import { kinds } from './kinds/kinds.ts'
import { createLargeThread } from './large-thread.ts'
import type { Command, ServerReport, ServerStart } from './server.ts'
import type { UsersReport, UsersStart } from './users.ts'

/** What others get during an attack, or without one. */
export type Measure = {
  readonly name: string
  /** How many messages had their first token. */
  readonly samples: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refusals: readonly string[]
  readonly memoryMb: number
  readonly delayMs: number
  /** Of one processor, in percent. */
  readonly cpu: number
  /** What the attacker got, and how often. */
  readonly counts: Readonly<Record<string, number>>
}

export type NeighbourOptions = {
  readonly quietSeconds: number
  readonly secondsPerKind: number
  readonly allSeconds: number
  /** A part of the names of kinds. */
  readonly only?: string
  readonly onMeasure?: (measure: Measure) => void
}

export type NeighbourResult = {
  readonly quiet: Measure
  readonly each: readonly Measure[]
  readonly all: Measure
}

const USERS = 20
/** The first messages compile code and grow the heap. */
const WARM_UP_MS = 4000
/** After a kind, so that what it leaves behind counts as its own. */
const SETTLE_MS = 500

/** Measures how 20 users chat while one user and one stranger attack, with each kind alone and all at once. */
export async function playNeighbour({
  only = '',
  onMeasure = () => undefined,
  ...options
}: NeighbourOptions): Promise<NeighbourResult> {
  const names = kinds.map(({ name }) => name).filter((name) => name.includes(only))
  const attackers = ['mallory', ...names.map((_, index) => `mallory-${index}`)]
  const users = Array.from({ length: USERS }, (_, index) => `user-${index}`)
  await using stage = await openStage([...attackers, ...users], users)
  const { url, tokens } = stage
  const large = await createLargeThread(url, tokens['mallory'] ?? '')
  const addressOf = (index: number, last: number): string | undefined =>
    platform() === 'linux' ? `127.0.${index}.${last}` : undefined
  const target = (user: string, index: number): Target => ({
    url,
    token: tokens[user] ?? '',
    address: addressOf(index, 1),
    ownAddress: addressOf(index, 200),
    large,
  })
  const measure = async (name: string, seconds: number, play?: Play): Promise<Measure> => {
    const measured = await stage.measure(name, seconds, play)
    onMeasure(measured)
    return measured
  }

  await stage.measure('warm-up', WARM_UP_MS / 1000)
  const quiet = await measure('quiet', options.quietSeconds)
  const each: Measure[] = []
  for (const [index, name] of names.entries()) {
    const play = { names: [name], target: target(`mallory-${index}`, 10 + index) }
    each.push(await measure(name, options.secondsPerKind, play))
  }
  const all = await measure('all at once', options.allSeconds, { names, target: target('mallory', 9) })
  return { quiet, each, all }
}

type Stage = AsyncDisposable & {
  readonly url: string
  readonly tokens: Readonly<Record<string, string>>
  measure(name: string, seconds: number, play?: Play): Promise<Measure>
}

async function openStage(accounts: readonly string[], users: readonly string[]): Promise<Stage> {
  const server = forkPart('server', { USERS: accounts.join(',') })
  const chatting = forkPart('users')
  const attacker = forkPart('attacker')
  const parts = [server, chatting, attacker]
  const close = async (): Promise<void> => {
    if (server.connected) server.send('end' satisfies Command)
    chatting.kill('SIGKILL')
    attacker.kill('SIGKILL')
    await Promise.all(parts.map(waitForExit))
  }
  const [{ url, tokens }] = await Promise.all([
    nextMessage<ServerStart>(server),
    nextMessage(chatting),
    nextMessage(attacker),
  ])
  const own = users.map((user) => tokens[user] ?? '')
  chatting.send({ url, tokens: own } satisfies UsersStart)
  return {
    url,
    tokens,
    [Symbol.asyncDispose]: close,
    async measure(name, seconds, play) {
      await Promise.all([ask<UsersReport>(chatting, 'report'), ask<ServerReport>(server, 'report')])
      if (play) attacker.send(play)
      await pause(seconds * 1000)
      const { counts } = play ? await ask<AttackerReport>(attacker, 'stop') : { counts: {} }
      await pause(SETTLE_MS)
      const [{ firstMs, refusals }, { rss, delayMs, cpuMs }] = await Promise.all([
        ask<UsersReport>(chatting, 'report'),
        ask<ServerReport>(server, 'report'),
      ])
      return {
        name,
        samples: firstMs.length,
        p50Ms: percentile(firstMs, 0.5),
        p99Ms: percentile(firstMs, 0.99),
        refusals,
        memoryMb: rss / 2 ** 20,
        delayMs,
        cpu: cpuMs / (seconds * 10 + SETTLE_MS / 100),
        counts,
      }
    },
  }
}

function forkPart(name: string, env: Readonly<Record<string, string>> = {}): ChildProcess {
  return fork(join(import.meta.dirname, `${name}.ts`), { env: { ...process.env, ...env }, execArgv: [] })
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function ask<T>(child: ChildProcess, message: string): Promise<T> {
  const reply = nextMessage<T>(child)
  child.send(message)
  return reply
}
