import { ServiceError } from 'dragoman/errors'
import {
  canonicalJson,
  type AnswerRequest,
  type ChatRequest,
  type LogEntry,
  type Question,
  type Run,
  type ClientAnswer,
} from 'dragoman/events'
import type { RunRequest } from 'dragoman/protocols'
import type { Thread } from 'dragoman/threads'
import { openQuestions, rangeAfterAnswer } from './log-ranges.ts'
import {
  findRun,
  runKey,
  runNameOf,
  startNamedRun,
  type AgUiPorts,
  type AgUiRunOptions,
  type StartedRun,
} from './start-run.ts'
import { giveAnswers } from 'dragoman/surfaces'

type Answers = Extract<RunRequest, AnswerRequest>
type Message = Extract<RunRequest, ChatRequest>

/** A request with answers, its key and its thread. */
type AnswerContext = {
  readonly request: Answers
  readonly key: string
  readonly thread: Thread
  readonly options: AgUiRunOptions
  readonly ports: AgUiPorts
}

/**
 * Gives the answers that the thread's run waits for, then sends the message if there is one. Returns undefined if the
 * message is all there is to handle. A client may answer under the name of the run that asked.
 * @throws ServiceError `not-found` for answers to unknown questions, `key-reused`
 */
export async function answerRun(
  request: Answers,
  options: AgUiRunOptions,
  ports: AgUiPorts,
  thread: Thread,
): Promise<StartedRun | undefined> {
  const key = runKey(options.agent, thread.id, runNameOf(request.view))
  const context = { request, key, thread, options, ports }
  const message = messageIn(request)
  const named = await findRun(ports.runs, options.userId, key)
  const run = named ?? (await ports.runs.current(thread.id))
  if (!run) return undefined
  const entries = await ports.runs.structure(run)
  const isOwnName = named?.key === key
  const isAnswered = await giveExpectedAnswers(run, entries, context)
  const isAccepted = isAnswered || (named !== undefined && !isOwnName)
  if (isOwnName && !isAccepted && message) return undefined
  if (isOwnName && !isAccepted && !hasQuestion(entries, request))
    throw new ServiceError('key-reused', 'runId: another request was sent under this name before.')
  const isNew = message !== undefined && !hasMessage(message, run, entries)
  if (isAccepted && isNew) return sendMessage(message, run, context)
  if (isAccepted) return { ...(await readPart(run, context)), ...(isAnswered && { isNew: true }) }
  if (isNew) return undefined
  // Another answer came first, or this is a repeated request: only what followed is sent.
  if (hasQuestion(entries, request)) return readPart(run, context)
  const earlier = message ? undefined : await findEarlierRun(context)
  return earlier && readPart(earlier, context)
}

/**
 * Gives the expected answers. Returns whether there was one. Others are ignored: a client sends all results that its
 * tools have ever given.
 */
async function giveExpectedAnswers(
  run: Run,
  entries: readonly LogEntry[],
  { request, key, options, ports }: AnswerContext,
): Promise<boolean> {
  const open = openQuestions(entries)
  const due = request.answers.filter((answer) => isExpected(answer, open.get(answer.callId)?.kind))
  const secrets = request.secrets === undefined ? {} : { secrets: request.secrets }
  // The page's tools may have changed the state: the run must see it when it continues.
  if (due.length > 0 && request.state !== undefined)
    await ports.runs.share(run, request.state, options.userId)
  const answers = due.map((answer) => ({ ...answer, key, ...secrets }))
  await giveAnswers(run, answers, { runs: ports.runs, userId: options.userId })
  return due.length > 0
}

/** False for an approval that is sent again while its call waits for the client's output. */
function isExpected({ answer: { kind } }: ClientAnswer, questionKind: Question['kind'] | undefined): boolean {
  return questionKind !== undefined && !(kind === 'approval' && questionKind === 'output')
}

function messageIn(request: Answers | (Answers & Message)): Message | undefined {
  return 'message' in request ? request : undefined
}

/** Whether the run has the message: a client that has seen nothing of the answer still has it last. */
function hasMessage({ message }: Message, run: Run, entries: readonly LogEntry[]): boolean {
  const { clientId, parts } = message
  if (clientId !== undefined && clientId === run.request.clientId) return true
  const userMessage = entries.findLast(({ event }) => event.type === 'user.joined')?.event
  return userMessage?.type === 'user.joined' && canonicalJson(userMessage.input) === canonicalJson(parts)
}

/** The message joins the answered run. If the run still waits for other answers, the message starts a new run. */
async function sendMessage(message: Message, run: Run, context: AnswerContext): Promise<StartedRun> {
  const { key, thread, options, ports } = context
  const started = await startNamedRun(message, { ...options, policy: 'steer' }, ports, {
    thread,
    key: `${key}:message`,
  })
  return started.run.id === run.id ? readPart(run, context) : started
}

async function readPart({ id }: Run, { request, key, options, ports }: AnswerContext): Promise<StartedRun> {
  const { userId, protocol } = options
  const run = await ports.runs.get(userId, id)
  const calls = new Set(request.answers.map(({ callId }) => callId))
  const part = rangeAfterAnswer(await ports.runs.structure(run), { key, calls }, protocol)
  return { run, view: protocol.view(request.view, {}), ...part }
}

function hasQuestion(entries: readonly LogEntry[], { answers }: AnswerRequest): boolean {
  const calls = new Set(answers.map(({ callId }) => callId))
  return entries.some(({ event }) => event.type === 'tool.asked' && calls.has(event.callId))
}

/** An earlier run of the thread that asked the last question: a call id starts with its run's id. */
async function findEarlierRun({ request, thread, options, ports }: AnswerContext): Promise<Run | undefined> {
  const { callId = '' } = request.answers.at(-1) ?? {}
  const run = await findRun(ports.runs, options.userId, callId.slice(0, Math.max(0, callId.lastIndexOf('.'))))
  if (run?.threadId !== thread.id) return undefined
  return hasQuestion(await ports.runs.structure(run), request) ? run : undefined
}
