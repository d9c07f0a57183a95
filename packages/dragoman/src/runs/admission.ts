import type { RunsOptions } from './ports.ts'
import type { StartRequest } from './start-request.ts'
import { createHash } from 'node:crypto'

import { nanoid } from 'nanoid'

import { ServiceError } from '../errors.ts'
import { ALONE, canonicalJson, isGuest, type Json, type NewRun, type Run } from '../events/index.ts'
import { newMessageId, placeOf, toMessages, toTurn, type Placed } from './thread-position.ts'
import { byPolicy, joinOf, type Admitted, type Rules } from './policies.ts'

/** Earlier turns of which a client tells and we did not know, the newest: each is a row, and they are written as one. */
const MOST_TOLD = 1000

/** Finds the message's place in its conversation and admits the run, by the policy where another goes on there. */
export async function admit(asked: StartRequest, ports: RunsOptions, own: Rules): Promise<Admitted> {
  const { guestSteps } = ports.agents.get(asked.agent) ?? {}
  const few =
    isGuest(asked.userId) && guestSteps !== undefined
      ? { ...asked, maxSteps: Math.min(asked.maxSteps ?? guestSteps, guestSteps) }
      : asked
  const { alone } = few
  if (alone) {
    return counted(few, ports, async (runId) => ({
      run: await own.start(runAlone(few, runId), 'reject', alone),
    }))
  }
  const request = few.past ? { ...few, turns: few.past.flatMap(toTurn) } : few
  const known = await runOfKey(request, ports)
  if (known) return sameRequest(known, request, ports)
  return counted(request, ports, (runId) => inThread(request, runId, { ...ports, ...own }))
}

/** Gives a run its id, and has it counted as its user's while nobody refuses it. */
async function counted(
  { userId, agent, answer, alone }: StartRequest,
  { mayStart, notStarted, report }: RunsOptions,
  start: (runId: string) => Promise<Admitted>,
): Promise<Admitted> {
  const runId = `run_${nanoid(12)}`
  const takeBack = async (): Promise<void> =>
    notStarted?.(runId).catch((error: unknown) => report(error, runId))
  const isAnswered = answer !== undefined
  await mayStart?.({ userId, agent, runId, isAnswered, ...(alone?.ownKey && { ownKey: true }) })
  try {
    const admitted = await start(runId)
    if (admitted.run.id !== runId) await takeBack()
    return admitted
  } catch (error) {
    await takeBack()
    throw error
  }
}

async function inThread(request: StartRequest, runId: string, ports: RunsOptions & Rules): Promise<Admitted> {
  const { thread, isNew } = await ports.threads.open({
    userId: request.userId,
    agent: request.agent,
    ...(request.thread !== undefined && { name: request.thread }),
    ...(request.metadata && { metadata: request.metadata }),
  })
  const placed = isNew
    ? { turns: request.turns, messageId: newMessageId() }
    : await placeOf(request, thread, ports)
  const run = newRun(request, { id: runId, threadId: thread.id }, placed)
  ports.secrets.set(run.id, request.secrets)
  const admitted = await byPolicy(run, request.policy ?? 'reject', ports, request.isUnread).catch(
    (error: unknown) => {
      ports.secrets.delete(run.id)
      throw error
    },
  )
  if (admitted.run.id !== run.id) ports.secrets.delete(run.id)
  return admitted.joined ? admitted : sameRequest(admitted.run, request, ports)
}

/** No other is found by its name, and none comes after it. */
function runAlone(request: StartRequest, id: string): NewRun {
  const { turns, past = toMessages(turns) } = request
  const place = { turns: [], messageId: newMessageId() }
  const run = newRun(request, { id, threadId: `${ALONE}${nanoid(12)}` }, place)
  return {
    ...run,
    request: {
      ...run.request,
      ...(past.length > 0 && { history: past }),
      ...(request.alone?.ownKey && { ownKey: true }),
    },
    onCrash: 'fail',
  }
}

function newRun(
  request: StartRequest,
  { id, threadId }: Pick<NewRun, 'id' | 'threadId'>,
  placed: Placed,
): NewRun {
  const { userId, agent, message, context, saidContext, state, reply, model, maxSteps, tools = [] } = request
  const { key, alias } = keysIn(request, threadId)
  const { parentId, turns, messageId, input = message.parts } = placed
  const history = toMessages(turns.slice(-MOST_TOLD))
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
      ...(maxSteps !== undefined && { maxSteps }),
      ...(request.answer !== undefined && { answer: request.answer }),
    },
    reply,
    onCrash: 'continue',
  }
}

async function runOfKey(request: StartRequest, { threads, store }: RunsOptions): Promise<Run | undefined> {
  const { userId, agent, key = '', alias = '', thread: name } = request
  const isInThread = name !== undefined && [key, alias].some((one) => OF_THREAD.test(one))
  const thread = isInThread ? await threads.find(userId, name, agent) : undefined
  for (const one of Object.values(keysIn(request, thread?.id ?? ''))) {
    const found = await store.find(userId, one)
    if (found) return found
  }
  return undefined
}

/** The beginning of a key that is its thread's own; in all else `$thread` is but a word of its client's. */
const OF_THREAD = /^(?:message|run):[^:$]*\/\$thread:/

/** Its keys, in the thread that is now known. */
function keysIn({ key, alias }: StartRequest, threadId: string): { key?: string; alias?: string } {
  const named = (one: string): string => (OF_THREAD.test(one) ? one.replace('$thread', threadId) : one)
  return {
    ...(key !== undefined && { key: named(key) }),
    ...(alias !== undefined && { alias: named(alias) }),
  }
}

/** The same key brings the same run, and is refused with other words. */
async function sameRequest(run: Run, request: StartRequest, ports: RunsOptions): Promise<Admitted> {
  const { agent, thread, message, tools = [] } = request
  const { store, threads } = ports
  const { key } = keysIn(request, run.threadId)
  const joined = run.key === key ? undefined : await joinOf(run, key, store)
  const said = joined?.input ?? run.request.input
  const named = thread === undefined ? undefined : await threads.find(run.userId, thread, agent)
  const same =
    run.agent === agent &&
    (thread === undefined || named?.id === run.threadId) &&
    (isAgain(request) || canonicalJson(said) === canonicalJson(message.parts)) &&
    (await isInPlace(run, request, ports)) &&
    (joined !== undefined || traceOf(run.request) === traceOf(request)) &&
    (joined !== undefined || canonicalJson(run.request.tools) === canonicalJson(tools))
  if (!same)
    throw new ServiceError('key-reused', 'Another request was sent under this key before.', {
      details: { runId: run.id },
    })
  return { run, ...(joined && { joined }) }
}

/**
 * By which a client's context is known again. What the agent makes of it changes with what it stands on: a file that is named in it may read
 * otherwise by now, and its conversation may work elsewhere.
 */
export function traceOf({ context, saidContext }: { readonly context: Json; readonly saidContext?: string }) {
  return saidContext ?? createHash('sha256').update(canonicalJson(context)).digest('base64url')
}

/** Whether nothing is said, but that an answer is wanted once more. */
function isAgain({ replaces, message }: StartRequest): boolean {
  return replaces !== undefined && message.parts.length === 0
}

/** Whether a run stands where a request has it stand that names the message which it replaces. */
async function isInPlace(run: Run, request: StartRequest, ports: RunsOptions): Promise<boolean> {
  if (request.replaces === undefined) return true
  const { parentId, messageId } = await placeOf(request, { id: run.threadId }, ports)
  return parentId === run.parentId && (!isAgain(request) || messageId === run.request.messageId)
}
