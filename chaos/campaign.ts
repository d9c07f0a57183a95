import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { LogEntry } from '../packages/dragoman/src/index.ts'
import { openProxy, type ProxyName } from '../test/support/proxies.ts'
import type { EndedRun } from './run-checks.ts'
import { effectMistakes, overlapMistakes, spanOf, type Span } from './final-checks.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { createRetryingNetwork } from './retrying-network.ts'
import type { ServerNode } from './server-node.ts'
import { playChat } from './play-chat.ts'
import { chatPlan, type ChatPlan, type RunPlan } from './plan.ts'
import { fingerprint, type Stage } from './play-run.ts'
import { wholeOf } from './read-run.ts'
import { createRecoveryTimes } from './recovery-times.ts'
import { createNodes, readEffects } from './server-api.ts'
import { LOG_PROTOCOL } from './wire-formats.ts'
import { strike, type Toll } from './strike.ts'
import { openStrikeSource, type StrikeSource } from './strike-source.ts'
import { createSummary } from './summary.ts'

/** Concurrent conversations. */
const CHATS = 8

export type CampaignOptions = {
  readonly strikes: number
  readonly seed: number
  readonly nodes: number
  /** SQLite in the home, PostgreSQL, or PostgreSQL behind PgBouncer. */
  readonly database: 'sqlite' | 'postgres' | 'pgbouncer'
  /** In front of the nodes, which are also restarted one after the other. */
  readonly proxy?: ProxyName | undefined
}
export type CampaignContext = {
  readonly home: string
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** What the final checks need of an ended run. */
type EndedRunSummary = {
  readonly runId: string
  readonly story: string
  readonly print: string
  readonly calls: readonly LogEntry[]
  readonly span: readonly Span[]
}

/** Runs the whole campaign. Returns whether every check passed. */
export async function campaign(options: CampaignOptions, context: CampaignContext): Promise<boolean> {
  const { home, signal, say } = context
  const found = createEvidence(options.seed, say)
  const toll: Toll = { strikes: 0, struckUntil: 0, excusedUntil: 0, mutedUntil: 0 }
  const source = await openStrikeSource(options, context)
  const databaseUrls = source.database?.proxies.map(({ url }) => url) ?? []
  const { drainSeconds } = source
  const nodes = createNodes(home, { count: options.nodes, databaseUrls, drainSeconds }, (line, kind) => {
    if (kind === 'error' || performance.now() > toll.excusedUntil)
      found.note(`the process log has an error: ${line}`)
  })
  try {
    for (const node of nodes) await node.start()
    const urls = nodes.flatMap(({ url }) => url ?? [])
    await using proxy = options.proxy && (await openProxy(options.proxy, ...urls))
    const before = await vitalsOf(nodes)
    const lines = await playAndStrike(options, {
      ...context,
      nodes,
      proxyUrl: proxy?.url,
      toll,
      found,
      source,
    })
    say(lines.join('\n'))
    say(`memory and handles at the beginning: ${before}; at the end: ${await vitalsOf(nodes)}`)
    await endAll(nodes, found)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    for (const node of nodes) await node.kill('SIGKILL')
    await source[Symbol.asyncDispose]()
    const folder = await found.keep(home)
    if (folder !== undefined) say(`evidence: ${folder}`)
  }
  if (signal.aborted) say('Interrupted: what was not looked at is not known.')
  else
    say(`seed ${options.seed}: ${found.count === 0 ? 'every promise was kept' : `${found.count} violations`}`)
  return found.count === 0
}

type StrikeContext = CampaignContext & {
  readonly nodes: readonly ServerNode[]
  readonly proxyUrl: string | undefined
  readonly toll: Toll
  readonly found: Evidence
  readonly source: StrikeSource
}

/** Plays conversations while nodes are struck, then runs the final checks. Returns the lines of the summary. */
async function playAndStrike(
  { strikes, seed, nodes: count }: CampaignOptions,
  { home, signal, nodes, proxyUrl, toll, found, source }: StrikeContext,
): Promise<readonly string[]> {
  const recoveryTimes = createRecoveryTimes({ apart: count > 1 })
  const summaryCounts = createSummary()
  const endedRuns: EndedRunSummary[] = []
  const stage: Stage = {
    recovery: recoveryTimes,
    network: createRetryingNetwork(nodes, signal, proxyUrl),
    toll,
    strikesToGiveUp: source.strikesToGiveUp,
    onEnded(run, mistakes) {
      found.noteRun(run, mistakes)
      summaryCounts.run(run.entries)
      endedRuns.push(summarizeRun(run))
    },
  }
  const closing = new AbortController()
  const chats = playAll(stage, seed, { closing: closing.signal, found })
  const { database, drainSeconds } = source
  for (let number = 0; number < strikes && !signal.aborted; number++) {
    const plan = source.plan(number)
    summaryCounts.strike('bootMs' in plan.when ? 'SIGKILL, and again while starting' : plan.kind, plan.ms)
    await appendFile(join(home, 'strikes.jsonl'), `${JSON.stringify({ at: Date.now(), ...plan })}\n`)
    await strike(plan, {
      nodes,
      database,
      recovery: recoveryTimes,
      signal,
      complain: found.note,
      toll,
      drainSeconds,
    })
  }
  closing.abort()
  const quiet = async (): Promise<void> =>
    checkAfterStrikes(stage, { threads: await chats, past: endedRuns, home, found })
  // Requests to a dead server may never end.
  await Promise.race([quiet(), interrupted(signal)])
  return summaryCounts.lines(recoveryTimes)
}

/** @throws the signal's reason, once it aborts */
async function interrupted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

/** Plays conversations in parallel until `closing` aborts. Returns all of their plans. */
async function playAll(
  stage: Stage,
  seed: number,
  { closing, found }: { closing: AbortSignal; found: Evidence },
): Promise<readonly ChatPlan[]> {
  const threads: ChatPlan[] = []
  const play = async (): Promise<void> => {
    while (!closing.aborted && !stage.network.signal.aborted) {
      const chat = chatPlan(seed, threads.length)
      threads.push(chat)
      await playChat(stage, chat, { closing, complain: found.note })
    }
  }
  await Promise.all(Array.from({ length: CHATS }, play))
  return threads
}

type FinalCheckOptions = {
  threads: readonly ChatPlan[]
  past: EndedRunSummary[]
  home: string
  found: Evidence
}

/**
 * After the last strike: each thread accepts another message, each log reads as before, and each tool did what its
 * outcome says.
 */
async function checkAfterStrikes(
  stage: Stage,
  { threads, past, home, found }: FinalCheckOptions,
): Promise<void> {
  const before = [...past]
  const openThreads = [...threads]
  const ask = async (): Promise<void> => {
    for (let chat = openThreads.shift(); chat; chat = openThreads.shift())
      await playChat(
        stage,
        { ...chat, runs: [finalPlan(chat)] },
        { closing: AbortSignal.any([]), complain: found.note },
      )
  }
  await Promise.all(Array.from({ length: CHATS }, ask))
  for (const { runId, story, print } of before) {
    const now = await wholeOf(stage.network, { runId, protocol: LOG_PROTOCOL })
    if (fingerprint(now) !== print)
      found.note(`run ${runId}, story ${story}: its log reads otherwise than when it had ended`)
  }
  for (const mistake of overlapMistakes(past.flatMap(({ span }) => span))) found.note(mistake)
  const effects = Map.groupBy(await readEffects(home), ({ place }) => place.split('/')[0])
  for (const { runId, story, calls } of past) {
    for (const mistake of effectMistakes(calls, effects.get(story) ?? []))
      found.note(`run ${runId}, story ${story}: ${mistake}`)
  }
}

/** A plan with a short answer. */
function finalPlan({ thread }: ChatPlan): RunPlan {
  const steps = [{ thought: 0, words: 3, calls: [] }]
  const caller = { protocol: LOG_PROTOCOL, joinsAfter: 0, cuts: [] }
  return { story: { name: `${thread}-last`, pace: 0, steps }, caller, readers: [], keyed: false, answers: [] }
}

function summarizeRun({ runId, story, entries, wholes, thread }: EndedRun): EndedRunSummary {
  return {
    runId,
    span: spanOf(thread, { runId, entries }),
    story: story.name,
    print: fingerprint(wholes[LOG_PROTOCOL]?.frames ?? []),
    calls: entries.filter(({ event }) => event.type.startsWith('tool.') && event.type !== 'tool.delta'),
  }
}

async function endAll(nodes: readonly ServerNode[], found: Evidence): Promise<void> {
  for (const node of nodes) {
    const code = await Promise.race([node.kill('SIGTERM'), pause(10_000, 'late' as const, { ref: false })])
    if (code !== 0)
      found.note(`${node.name} did not end in order after its last run: ${code ?? 'by a signal'}`)
  }
}

async function vitalsOf(nodes: readonly ServerNode[]): Promise<string> {
  const all: string[] = []
  for (const node of nodes) {
    const { rss, heap, handles } = (await node.ask()) as { rss: number; heap: number; handles: number }
    all.push(`${Math.round(rss / 2 ** 20)} MB (heap ${Math.round(heap / 2 ** 20)}), ${handles} handles`)
  }
  return all.join(' and ')
}
