import { nanoid } from 'nanoid'

import { ServiceError } from '../errors.ts'
import { DETACHED_PREFIX, canonicalJson, type ClientTurn, type NewRun, type Run } from '../events/index.ts'
import { DETACHED_RETENTION_MS } from '../log/index.ts'
import type { Thread } from '../threads/index.ts'
import { fileIdsIn } from './accept-files.ts'
import { applyThreadPolicy, joinOf, type Admitted, type Rules } from './apply-thread-policy.ts'
import { estimatePrompt } from './estimate-prompt.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import { newestTurns } from './newest-turns.ts'
import { isThreadKey, keysIn } from './run-keys.ts'
import { placeOfRun } from './run-place.ts'
import { contextTrace, type ResolvedRequest } from './resolve-request.ts'
import { newMessageId, findPosition, toMessages, toTurn, type ThreadPosition } from './thread-position.ts'

/** A message is stored in its row, in an index, and in the run. */
const COPIES = 3

/**
 * Finds the message's place in its conversation and admits the run, by the policy if another run goes on there.
 * `known` is the conversation, if there is one by the request's name.
 */
export async function admitRun(
  resolvedRequest: ResolvedRequest,
  knownThread: Thread | undefined,
  ports: RunsOptions,
  rules: Rules,
): Promise<Admitted> {
  const request = resolvedRequest.history
    ? { ...resolvedRequest, turns: resolvedRequest.history.flatMap(toTurn) }
    : resolvedRequest
  // Meanwhile the rows of the conversation get what its runs have said: the message stands after that.
  const projecting = knownThread && ports.projector.upTo(knownThread.id)
  projecting?.catch(() => undefined)
  const earlier = await runOfKey(request, knownThread, ports)
  if (earlier) return sameRequest(earlier, request, knownThread, ports)
  return countStart(request, ports.agents.get(request.agent), ports, (runId) =>
    admitToThread(request, knownThread, runId, { ...ports, ...rules, projecting }),
  )
}

/** Admits a run that is in no conversation. */
export function admitDetachedRun(
  request: ResolvedRequest,
  resolved: ResolvedAgent,
  ports: RunsOptions,
  { start, mayAsk, isPart }: Pick<Rules, 'start'> & Readonly<Record<'mayAsk' | 'isPart', true | undefined>>,
): Promise<Admitted> {
  return countStart(request, resolved, ports, async (id) => {
    const { turns, history: past = toMessages(turns) } = request
    const threadId = `${DETACHED_PREFIX}${nanoid(12)}`
    const run = newRun(request, { id, threadId }, { turns: [], messageId: newMessageId() })
    const input: NewRun['request'] = {
      ...run.request,
      ...(past.length > 0 && { history: past }),
      ...(resolved.ownKey && { ownKey: true }),
      ...(mayAsk && { mayAsk }),
    }
    const bytes = Buffer.byteLength(JSON.stringify(input))
    await ports.mayStore?.({ userId: run.userId, runId: id, turns: 0, bytes, forMs: DETACHED_RETENTION_MS })
    return { run: await start({ ...run, request: input, onCrash: 'fail' }, 'reject', { resolved, isPart }) }
  })
}

/** Gives a run its id and counts it as its user's, unless nothing comes of it. */
async function countStart(
  request: ResolvedRequest,
  resolved: ResolvedAgent | undefined,
  { mayStart, notStarted, report }: RunsOptions,
  start: (runId: string) => Promise<Admitted>,
): Promise<Admitted> {
  const runId = `run_${nanoid(12)}`
  const takeBack = async (): Promise<void> =>
    notStarted?.(runId).catch((error: unknown) => report(error, runId))
  const { userId, agent, answer } = request
  const isAnswered = answer !== undefined
  const promptTokens = resolved && !isAnswered ? estimatePrompt(request, resolved.agent) : 0
  await mayStart?.({
    userId,
    agent,
    runId,
    isAnswered,
    promptTokens,
    ...(resolved?.ownKey && { ownKey: true }),
  })
  try {
    const admitted = await start(runId)
    if (admitted.run.id !== runId) await takeBack()
    return { ...admitted, ...(admitted.run.id === runId && { isNew: true }) }
  } catch (error) {
    await takeBack()
    throw error
  }
}

async function admitToThread(
  request: ResolvedRequest,
  knownThread: Thread | undefined,
  runId: string,
  ports: RunsOptions & Rules & { readonly projecting: Promise<void> | undefined },
): Promise<Admitted> {
  const place = await placeOfRun(request.agent, knownThread, ports)
  const metadata = place === undefined ? request.metadata : { ...request.metadata, place }
  // Before a new thread is created. Of a known one, it is not clear yet which turns are new.
  if (!knownThread) await checkSize(request, runId, request.turns, ports)
  const { thread, isNew } = await openThread(
    { ...request, ...(metadata && { metadata }) },
    knownThread,
    ports,
  )
  await ports.files?.show(thread.id, fileIdsIn(request.message.parts))
  if (!isNew) await (ports.projecting ?? ports.projector.upTo(thread.id))
  const position = isNew
    ? { turns: request.turns, messageId: newMessageId() }
    : await findPosition(request, thread, ports)
  if (knownThread) await checkSize(request, runId, position.turns, ports)
  const run = newRun(request, { id: runId, threadId: thread.id, place }, position)
  ports.secrets.set(run.id, request.secrets)
  const admitted = await applyThreadPolicy(run, request.policy ?? 'reject', ports, request.isUnread).catch(
    (error: unknown) => {
      ports.secrets.delete(run.id)
      throw error
    },
  )
  if (admitted.run.id === run.id) return admitted
  ports.secrets.delete(run.id)
  return admitted.joined ? admitted : sameRequest(admitted.run, request, thread, ports)
}

/** A client that reports turns has them stored. About so many bytes are reserved as their rows and log take. */
async function checkSize(
  { userId, message, context, state, tools }: ResolvedRequest,
  runId: string,
  turns: readonly ClientTurn[],
  { mayStore }: RunsOptions,
): Promise<void> {
  const stored = newestTurns(turns)
  const others = Buffer.byteLength(JSON.stringify([context, state, tools]))
  const bytes = COPIES * Buffer.byteLength(JSON.stringify([message.parts, stored])) + others
  await mayStore?.({ userId, runId, turns: stored.length, bytes })
}

async function openThread(
  { userId, agent, thread: name, metadata }: ResolvedRequest,
  knownThread: Thread | undefined,
  { threads }: RunsOptions,
): Promise<{ readonly thread: Thread; readonly isNew: boolean }> {
  if (!knownThread) return threads.create({ userId, agent, name, metadata })
  const thread = metadata
    ? await threads.amend(knownThread, (before) => ({ ...before, ...metadata }))
    : knownThread
  return { thread, isNew: false }
}

function newRun(
  request: ResolvedRequest,
  { id, threadId, place }: Pick<NewRun, 'id' | 'threadId'> & { readonly place?: string | undefined },
  position: ThreadPosition,
): NewRun {
  const { userId, agent, message, context, saidContext, state, reply, model, maxSteps, tools = [] } = request
  const { key, alias } = keysIn(request, threadId)
  const { parentId, turns, messageId, input = message.parts } = position
  const history = toMessages(newestTurns(turns))
  return {
    id,
    threadId,
    userId,
    agent,
    messageId: newMessageId(),
    ...(parentId !== undefined && { parentId }),
    ...(key !== undefined && { key }),
    ...(alias !== undefined && { aliases: [alias] }),
    request: {
      messageId,
      ...(message.clientId !== undefined && { clientId: message.clientId }),
      ...(message.sentAt !== undefined && { sentAt: message.sentAt }),
      input,
      ...(history.length > 0 && { history }),
      context,
      ...(saidContext !== undefined && { saidContext }),
      tools,
      ...(state !== undefined && { state }),
      ...(model !== undefined && { model }),
      ...(place !== undefined && { place }),
      ...(request.isUnresolved && { isUnresolved: true }),
      ...(maxSteps !== undefined && { maxSteps }),
      ...(request.answer !== undefined && { answer: request.answer }),
    },
    reply,
    onCrash: 'continue',
  }
}

async function runOfKey(
  request: ResolvedRequest,
  knownThread: Thread | undefined,
  { store }: RunsOptions,
): Promise<Run | undefined> {
  const { key: own, alias } = knownThread ? keysIn(request, knownThread.id) : request
  for (const key of [own, alias]) {
    // A thread that does not exist has no runs.
    if (key === undefined || (!knownThread && isThreadKey(key))) continue
    const found = await store.find(request.userId, key)
    if (found) return found
  }
  return undefined
}

/** The same key brings the same run, and is refused with another message. `known`: the request's conversation. */
async function sameRequest(
  run: Run,
  request: ResolvedRequest,
  knownThread: Thread | undefined,
  ports: RunsOptions,
): Promise<Admitted> {
  const { agent, thread: name, message, tools = [] } = request
  const { store, threads } = ports
  const { key } = keysIn(request, run.threadId)
  const steering = run.key === key ? undefined : await joinOf(run, key, store)
  const input = steering?.input ?? run.request.input
  // Two requests may bring a new name at once: the second one did not find what the first has made.
  const thread = knownThread ?? (name === undefined ? undefined : await threads.find(run.userId, name, agent))
  const same =
    run.agent === agent &&
    (name === undefined || thread?.id === run.threadId) &&
    (isRegeneration(request) || canonicalJson(input) === canonicalJson(message.parts)) &&
    (await isInPlace(run, request, ports)) &&
    (steering !== undefined || contextTrace(run.request) === contextTrace(request)) &&
    (steering !== undefined || canonicalJson(run.request.tools) === canonicalJson(tools))
  if (!same)
    throw new ServiceError('key-reused', 'Another request was sent under this key before.', {
      details: { runId: run.id },
    })
  return { run, ...(steering && { joined: steering }) }
}

/** Whether a request asks for another answer and has no message. */
function isRegeneration({ replaces, message }: ResolvedRequest): boolean {
  return replaces !== undefined && message.parts.length === 0
}

/** Whether a run stands where its request wants it, by the message that it replaces. */
async function isInPlace(run: Run, request: ResolvedRequest, ports: RunsOptions): Promise<boolean> {
  if (request.replaces === undefined) return true
  await ports.projector.upTo(run.threadId)
  const { parentId, messageId } = await findPosition(request, { id: run.threadId }, ports)
  return parentId === run.parentId && (!isRegeneration(request) || messageId === run.request.messageId)
}
