import { modelSettings, type Agent, type AgentModel } from '../agents/index.ts'
import { HOOK_TIMEOUT_MS, withTimeout } from '../async/index.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { isDetached, type Run } from '../events/index.ts'
import type { RunLog } from '../log/index.ts'
import { MAX_ATTEMPTS } from './failed-attempts.ts'
import { failingEngine, interruptedAgent, unknownAgent } from './failing-agents.ts'
import { createCannedAnswerAgent } from './canned-answer-agent.ts'
import { resolveTools } from './current-tools.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import type { ClaimedRun } from './run-context.ts'
import { readConversation } from './read-conversation.ts'
import { createRunHistory } from './run-history.ts'
import { countGrowth, type RunHold } from './run-load.ts'
import { stateOf } from './shared-state.ts'

/** Characters of the instructions of a run. No model reads as much. */
const MAX_INSTRUCTION_CHARACTERS = 2_000_000

type Claim = {
  readonly epoch: number
  readonly isHandedOver?: true | undefined
  /** Aborts once the process closes. */
  readonly closing: AbortSignal
  readonly hold: RunHold
  /** Drives a detached run. */
  readonly detached: ResolvedAgent | undefined
}

/** Reads a claimed run's log and conversation, and resolves what its agent knows and may do in this attempt. */
export async function prepareAttempt(
  run: Run,
  { epoch, isHandedOver, closing, hold, detached }: Claim,
  options: RunsOptions,
): Promise<ClaimedRun> {
  const { store, log, agents } = options
  const resolved =
    detached ??
    (isDetached(run) ? interruptedAgent(run.agent) : (agents.get(run.agent) ?? unknownAgent(run.agent)))
  const history = createRunHistory(run, store, options.limits.bytesPerRun)
  if (epoch > 1 || run.lastSeq > 1) await history.advance()
  const claim = { run, epoch, isHandedOver, history, grow: countGrowth(hold) }
  // Given up: what the agent does for a run may be what ended the processes.
  if (run.crashes >= MAX_ATTEMPTS) return { ...claim, resolved, conversation: [] }
  const answering = createCannedAnswerAgent(resolved, run)
  if (answering) return { ...claim, resolved: answering, conversation: [] }
  await options.beforeAttempt?.()
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
): Promise<Omit<ClaimedRun, 'epoch' | 'history'>> {
  const { run, resolved, grow: growBy } = unprepared
  const failing = (error: unknown) => {
    const agent = { ...resolved, engine: failingEngine(error) }
    return { run, resolved: agent, conversation: [], grow: growBy }
  }
  let own
  try {
    own = await askAgent(unprepared, options)
  } catch (error) {
    // Whatever its code says: the agent's own code failed, and not the store. It would fail again.
    return failing(error)
  }
  try {
    const { messages, bytes } = await readConversation(own, options)
    const grow = (logBytes: number): void => growBy(bytes + logBytes)
    grow(unprepared.history.past()?.bytes ?? 0)
    return { run: own.run, resolved: own.resolved, conversation: messages, grow }
  } catch (error) {
    // A busy file is read again. What cannot be read now may never be, and must not hold its thread for ever.
    if (isServiceError(error, 'unavailable')) throw error
    return failing(error)
  }
}

/** Asks the agent's own code what it says of a run. */
async function askAgent(unprepared: Unprepared, options: RunsOptions) {
  const run = await withResolvedContext(unprepared.run, unprepared.resolved)
  const resolved = await agentForRun({ ...unprepared, run }, options)
  const { context } = run.request
  const lines = resolved.context?.format?.(context) ?? []
  return { run, resolved, lines, window: resolved.agent.historyWindow?.(context) }
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
  const { runInstructions: briefing, instructions, maxSteps } = resolved.agent
  const model = modelOfRun(run, resolved, options)
  if (!briefing && !resolved.toolsFor && model === resolved.agent.model && request.maxSteps === undefined)
    return resolved
  const { context } = request
  const state = stateOf(run, history.past()?.events ?? [])
  const shared = state === null ? {} : { state }
  const scope = { userId, threadId: run.threadId, context }
  const { tools, notes, currentTools } = await resolveTools({
    resolved,
    clientTools: request.tools,
    scope: { ...scope, secrets: options.secrets.get(run.id), ...shared },
    signal,
    report: (error) => options.report(error, run.id),
  })
  const ofPage = request.tools.map(({ name }) => name)
  const names = [...tools.map(({ name }) => name), ...ofPage]
  const added =
    briefing &&
    (await withTimeout(signal, HOOK_TIMEOUT_MS, () =>
      briefing({ ...scope, message: request.input, tools: names, clientTools: ofPage, ...shared }),
    ))
  const text = [instructions, added, ...notes].filter(Boolean).join('\n\n')
  if (text.length > MAX_INSTRUCTION_CHARACTERS)
    throw new ServiceError(
      'too-large',
      `The instructions of a run have more than ${MAX_INSTRUCTION_CHARACTERS} characters.`,
    )
  return {
    ...resolved,
    ...(currentTools && { currentTools }),
    agent: {
      ...resolved.agent,
      tools,
      instructions: text,
      ...(model !== undefined && { model }),
      ...(request.maxSteps !== undefined && { maxSteps: Math.min(maxSteps, request.maxSteps) }),
    },
  }
}

/** What the user may run is asked again in each attempt: it may have changed since the run was admitted. */
function modelOfRun(
  { userId, request }: Run,
  { agent, ownKey }: ResolvedAgent,
  { modelFor = replaceModel }: RunsOptions,
): AgentModel | undefined {
  return ownKey ? agent.model : modelFor(agent, userId, request.model)
}

function replaceModel({ model }: Agent, _userId: string, name?: string): AgentModel | undefined {
  if (name === undefined) return model
  const requested = { ...modelSettings(model), primary: name, isRequested: true }
  return requested
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
