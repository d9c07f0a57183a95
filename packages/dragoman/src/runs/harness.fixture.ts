import { hostname } from 'node:os'

import { afterEach } from 'vitest'

import type { Agent, Tool, AgentEngine, CallHooks, EngineHost } from '../agents/index.ts'
import { noModel } from '../agents/no-model.fixture.ts'
import type { RunEvent, ThreadPolicy } from '../events/index.ts'
import { runLog, type Notifier, type Store } from '../log/index.ts'
import { openTestStorage } from '../testing/test-storage.fixture.ts'
import {
  createHistory,
  createProjector,
  createThreadServices,
  threadMigrations,
  createThreads,
  type History,
  type Questions,
  type Threads,
} from '../threads/index.ts'
import { isForeseen } from './end-run.ts'
import { runs, type RunEnd, type RunJournal, type RunLoad, type Runs } from './index.ts'
import type { ModelForUser, ResolvedAgent, StartRequest } from './ports.ts'

const agent: Agent = {
  id: 'dice',
  name: 'Test',
  description: 'A test agent.',
  instructions: 'You are tested.',
  engine: 'test',
  model: { primary: 'sonnet', fallback: 'haiku' },
  maxSteps: 10,
  tools: [],
}

export const request: StartRequest = {
  userId: 'ada',
  agent: 'dice',
  turns: [],
  message: { parts: [{ type: 'text', text: 'hi' }] },
  context: {},
  reply: { protocol: 'native', view: {} },
}

const usage = { inputTokens: 3, outputTokens: 4 }

/** A message in the thread `chat`. */
export const chatRequest = (text: string, policy?: ThreadPolicy): StartRequest => ({
  ...request,
  thread: 'chat',
  message: { parts: [{ type: 'text', text }] },
  ...(policy && { policy }),
})

/** A step's first and last word. */
export const step = {
  started: { type: 'step.started', model: 'm' },
  finished: { type: 'step.finished', reason: 'stop', usage },
} as const

/** An owner on this host that is no more. */
export const dead = `${hostname()}/4194999/dead/x`

/** Calls of `run_1`, by their number. */
export const called = (n: number, tool: string): RunEvent => ({
  type: 'tool.called',
  callId: `run_1.${n}`,
  tool,
  input: { n },
})
export const executing = (n: number): RunEvent => ({ type: 'tool.executing', callId: `run_1.${n}` })

export const untilAborted = ({ signal }: EngineHost): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

export type RunsHarness = {
  readonly runs: Runs
  readonly store: Store
  readonly notifier: Notifier
  readonly questions: Questions
  /** Unforeseen errors, and those with which runs ended. */
  readonly reports: unknown[]
  readonly ends: RunEnd[]
  /** Runs that this process has released. */
  readonly released: string[]
  /** Runs that another process has taken over. */
  readonly fenced: string[]
  /** A run's events, once it has ended. */
  ended(runId: string): Promise<RunEvent[]>
  types(runId: string): Promise<string[]>
  /** Resolves once the log holds these words. */
  said(runId: string, words: string): Promise<void>
  close(): Promise<void>
}

/** Rigs for the tests of a file, each closed after its test. */
export function harnesses(): typeof runsHarness {
  const open: RunsHarness[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  return async (...args) => {
    const made = await runsHarness(...args)
    open.push(made)
    return made
  }
}

type HarnessOptions = {
  tools?: readonly Tool[]
  store?: Store
  notifier?: Notifier
  maxSteps?: number
  history?: (own: History) => History
  threads?: (own: Threads) => Threads
  /** What this agent is that others of the tests are not. */
  agent?: Partial<Agent>
  toolsFor?: ResolvedAgent['toolsFor']
  outputGuardrail?: ResolvedAgent['outputGuardrail']
  inputGuardrail?: ResolvedAgent['inputGuardrail']
  /** The engine's hooks for calls that it does not finish itself. */
  hooks?: CallHooks
  /** In seconds. */
  answerWithin?: number
  runSeconds?: number
  bytesPerRun?: number
  load?: RunLoad
  modelFor?: ModelForUser
}

function staffOf(
  engine: AgentEngine,
  { tools = [], maxSteps = 10, agent: own, toolsFor, outputGuardrail, inputGuardrail }: HarnessOptions,
): ResolvedAgent {
  return {
    agent: { ...agent, tools, maxSteps, ...own },
    model: () => noModel,
    engine,
    ...(toolsFor && { toolsFor }),
    guestSteps: 3,
    ...(outputGuardrail && { outputGuardrail }),
    ...(inputGuardrail && { inputGuardrail }),
  }
}

function engineOf(run: AgentEngine['run'], { hooks }: HarnessOptions): AgentEngine {
  return { name: 'test', run, ...(hooks && { hooks }) }
}

function limitsOf({ runSeconds = 3600, bytesPerRun = 16 * 1024 * 1024 }: HarnessOptions) {
  const message = { messageBytes: 1000, guestMessageBytes: 100 }
  return { runSeconds, bytesPerRun, toolInputBytes: 10_000, ...message }
}

function journalOf(ends: RunEnd[], reports: unknown[]): RunJournal {
  return {
    resumed: async () => undefined,
    handedOver: () => undefined,
    ended(_run, end) {
      ends.push(end)
      if (isForeseen(end.error)) reports.push(end.error)
    },
  }
}

/**
 * Runs over real stores and threads, with an engine of the test's own. Two harnesses on one `store` are two
 * processes.
 */
async function runsHarness(engine: AgentEngine['run'], options: HarnessOptions = {}): Promise<RunsHarness> {
  const storage = await openTestStorage(threadMigrations)
  const { store = storage.store, notifier = storage.notifier } = options
  const db = storage.database
  const log = runLog(store, notifier)
  const { questions } = createThreadServices(db, store, {})
  const reports: unknown[] = []
  const ends: RunEnd[] = []
  const released: string[] = []
  const fenced: string[] = []
  const running = runs({
    store,
    log,
    threads: options.threads ? options.threads(createThreads(db)) : createThreads(db),
    history: options.history ? options.history(createHistory(db)) : createHistory(db),
    projector: createProjector(db, store, { maxRunBytes: options.bytesPerRun ?? 16 * 1024 * 1024 }),
    agents: new Map([['dice', staffOf(engineOf(engine, options), options)]]),
    answerWithin: options.answerWithin ?? 60,
    questions,
    limits: limitsOf(options),
    ...(options.load && { load: options.load }),
    modelFor: options.modelFor,
    report: (error) => reports.push(error),
    journal: journalOf(ends, reports),
    onReleased: (runId) => released.push(runId),
    onFenced: (runId) => fenced.push(runId),
  })
  const ended = async (runId: string): Promise<RunEvent[]> => {
    const events: RunEvent[] = []
    for await (const entries of log.follow(runId, 0, AbortSignal.timeout(10_000))) {
      events.push(...entries.map(({ event }) => event))
    }
    return events
  }
  return {
    runs: running,
    store,
    notifier,
    questions,
    reports,
    ends,
    released,
    fenced,
    ended,
    async said(runId, words) {
      for await (const entries of log.follow(runId, 0, AbortSignal.timeout(5000))) {
        if (JSON.stringify(entries).includes(words)) return
      }
      throw new Error(`Nobody said ${words}.`)
    },
    types: async (runId) => (await ended(runId)).map(({ type }) => type),
    close: async () => {
      await running.close()
      await storage.close()
    },
  }
}
