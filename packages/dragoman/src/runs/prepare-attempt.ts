import { modelSettings, type ResolvedTools, type RunScope } from '../agents/index.ts'
import { withTimeout } from '../async/index.ts'
import { isServiceError } from '../errors.ts'
import { isDetached, type Message, type Run, type UserPart } from '../events/index.ts'
import type { RunLog } from '../log/index.ts'
import type { StoredMessage } from '../threads/index.ts'
import { failingEngine, interruptedAgent, unknownAgent } from './failing-agents.ts'
import { createCannedAnswerAgent } from './canned-answer-agent.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import type { ClaimedRun } from './run-context.ts'
import { createRunHistory } from './run-history.ts'
import { stateOf } from './shared-state.ts'

/** Turns of a conversation that a model is given, at most. */
const MAX_TURNS = 200
/**
 * An agent's own code may take so long to say what the agent knows and what it may do: the user waits for the first
 * word meanwhile.
 */
export const PREPARE_TIMEOUT_MS = 10_000

type Claim = {
  readonly epoch: number
  /** Aborts once the process closes. */
  readonly closing: AbortSignal
  /** Drives a detached run. */
  readonly detached: ResolvedAgent | undefined
}

/** Reads a claimed run's log and conversation, and resolves what its agent knows and may do in this attempt. */
export async function prepareAttempt(
  run: Run,
  { epoch, closing, detached }: Claim,
  options: RunsOptions,
): Promise<ClaimedRun> {
  const { store, log, agents } = options
  const resolved =
    detached ??
    (isDetached(run) ? interruptedAgent(run.agent) : (agents.get(run.agent) ?? unknownAgent(run.agent)))
  const history = createRunHistory(run, store)
  if (epoch > 1 || run.lastSeq > 1) await history.advance()
  const claim = { run, epoch, history }
  const answering = createCannedAnswerAgent(resolved, run)
  if (answering) return { ...claim, resolved: answering, conversation: [] }
  const prepare = (signal: AbortSignal) => prepareAgent({ ...claim, resolved, signal }, options)
  const after = history.past()?.last ?? 0
  const prepared = resolved.toolsFor
    ? await untilStopped({ id: run.id, after }, { log, signal: closing }, prepare)
    : await prepare(closing)
  return { ...claim, ...prepared }
}

type Unprepared = Omit<ClaimedRun, 'conversation'> & {
  /** Aborts once the process closes or the run must stop: what the agent knows does not matter then. */
  readonly signal: AbortSignal
}

async function prepareAgent(
  unprepared: Unprepared,
  options: RunsOptions,
): Promise<Pick<ClaimedRun, 'run' | 'resolved' | 'conversation'>> {
  const { resolved } = unprepared
  let { run } = unprepared
  try {
    run = await withResolvedContext(run, resolved)
    return {
      run,
      resolved: await agentForRun({ ...unprepared, run }, options),
      conversation: await conversationOf(options, run, resolved),
    }
  } catch (error) {
    // A busy file is read again. What cannot be read now may never be, and must not hold its thread for ever.
    if (isServiceError(error, 'unavailable')) throw error
    return { run, resolved: { ...resolved, engine: failingEngine(error) }, conversation: [] }
  }
}

/** Another node took the request. It could not resolve the context, because the files are here. */
async function withResolvedContext(run: Run, { context: rules }: ResolvedAgent): Promise<Run> {
  const { isUnresolved, context, input } = run.request
  if (!isUnresolved || !rules?.resolve) return run
  return { ...run, request: { ...run.request, context: await rules.resolve(context, run.userId, input) } }
}

/**
 * Adds to the agent's instructions what depends on the run, replaces its model by the requested one, and adds the
 * tools of this run after the agent's own.
 */
async function agentForRun(unprepared: Unprepared, options: RunsOptions): Promise<ResolvedAgent> {
  const { run, resolved, history, signal } = unprepared
  const { request, userId } = run
  const { runInstructions: briefing, instructions, model, maxSteps } = resolved.agent
  if (!briefing && !resolved.toolsFor && request.model === undefined && request.maxSteps === undefined)
    return resolved
  const { context } = request
  const state = stateOf(run, history.past()?.events ?? [])
  const shared = state === null ? {} : { state }
  const scope = { userId, threadId: run.threadId, context }
  const found = await toolsOfRun(
    resolved,
    { ...scope, secrets: options.secrets.get(run.id), ...shared, signal },
    (error) => options.report(error, run.id),
  )
  const usedNames = new Set([...resolved.agent.tools, ...request.tools].map(({ name }) => name))
  const tools = [...resolved.agent.tools, ...found.tools.filter(({ name }) => !usedNames.has(name))]
  const ofPage = request.tools.map(({ name }) => name)
  const names = [...tools.map(({ name }) => name), ...ofPage]
  const added =
    briefing &&
    (await withTimeout(signal, PREPARE_TIMEOUT_MS, () =>
      briefing({ ...scope, message: request.input, tools: names, clientTools: ofPage, ...shared }),
    ))
  return {
    ...resolved,
    agent: {
      ...resolved.agent,
      tools,
      instructions: [instructions, added, ...found.notes].filter(Boolean).join('\n\n'),
      ...(request.model !== undefined && { model: { ...modelSettings(model), primary: request.model } }),
      ...(request.maxSteps !== undefined && { maxSteps: Math.min(maxSteps, request.maxSteps) }),
    },
  }
}

/** Tools that the agent has in one run only. If they cannot be found in time, the agent's instructions say so. */
async function toolsOfRun(
  { toolsFor }: ResolvedAgent,
  scope: RunScope,
  report: (error: unknown) => void,
): Promise<ResolvedTools> {
  try {
    if (!toolsFor) return { tools: [], notes: [] }
    return await withTimeout(scope.signal, PREPARE_TIMEOUT_MS, (signal) => toolsFor({ ...scope, signal }))
  } catch (error) {
    if (!scope.signal.aborted) report(error)
    return {
      tools: [],
      notes: ['Some of your tools cannot be reached now. Say so where one would be needed.'],
    }
  }
}

type Rows = Pick<RunsOptions, 'history' | 'projector'>

/** What the model is given: the path to the user's message, which the client's surroundings stand before. */
async function conversationOf(
  rows: Rows,
  run: Run,
  { agent, context: rules }: ResolvedAgent,
): Promise<Message[]> {
  const { request, parentId } = run
  const before = parentId === undefined ? [] : await turnsBefore(rows, { ...run, parentId }, agent)
  const lines = rules?.format?.(request.context) ?? []
  const context: UserPart[] = lines.length > 0 ? [{ type: 'text', text: lines.join('\n') }] : []
  const userMessage: Message = { role: 'user', id: request.messageId, parts: [...context, ...request.input] }
  return [...before.map(({ message }) => message), ...(request.history ?? []), userMessage]
}

/** Those that the agent has room for: the newest, and the first where they do not reach back to it. */
async function turnsBefore(
  { history, projector }: Rows,
  { threadId, parentId: leaf, request }: Run & { readonly parentId: string },
  { historyWindow: window }: ResolvedAgent['agent'],
): Promise<readonly StoredMessage[]> {
  const limit = window?.(request.context) ?? MAX_TURNS
  const readPath = () => history.path(threadId, { leaf, limit })
  let latest = await readPath()
  // The run before it may have gone on since this one was given its place. A row with an end is the last word on it.
  const parent = latest.at(-1)
  if (!parent || parent.row.finish_reason === 'incomplete') {
    await projector.upTo(threadId)
    latest = await readPath()
  }
  if (!window || latest.length < limit || latest[0]?.row.parent_id === null) return latest
  const first = await history.root(threadId, leaf)
  return first ? [first, ...latest] : latest
}

/**
 * Acts under a signal that also aborts once the run is asked to stop, or once its log cannot be read.
 * @throws what `act` throws, or the reason why the log cannot be read
 */
export async function untilStopped<T>(
  { id, after }: { readonly id: string; readonly after: number },
  { log, signal }: { readonly log: RunLog; readonly signal: AbortSignal },
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const stopped = new AbortController()
  const watch = async (): Promise<void> => {
    for await (const { event } of log.followExternal(id, after, AbortSignal.any([signal, over.signal])))
      if (event.type === 'run.stop-requested') stopped.abort()
  }
  // The handler is attached at once: a read may fail while `act` is still at work.
  const watching = watch().catch((error: unknown) => {
    stopped.abort(error)
    return { error }
  })
  const [acted] = await Promise.allSettled([act(AbortSignal.any([signal, stopped.signal]))])
  over.abort()
  const failure = await watching
  if (failure) throw failure.error
  if (acted.status === 'rejected') throw acted.reason
  return acted.value
}
