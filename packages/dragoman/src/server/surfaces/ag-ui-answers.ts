import { isServiceError, ServiceError } from '../../errors.ts'
import {
  canonicalJson,
  type AnswerRequest,
  type ChatRequest,
  type LogEntry,
  type Run,
  type ClientAnswer,
} from '../../events/index.ts'
import type { RunRequest } from '../../protocols/index.ts'
import type { Thread } from '../../threads/index.ts'
import { openQuestions, partAfter } from './ag-ui-places.ts'
import { findRun, keyOf, runNameIn, start, type AgUiPorts, type Asking, type Begun } from './ag-ui-start.ts'
import { PASSED_OVER } from './answering.ts'

type Answers = Extract<RunRequest, AnswerRequest>
type Message = Extract<RunRequest, ChatRequest>

/** One request with answers: under which name, of which conversation, by whom. */
type Answering = {
  readonly request: Answers
  readonly key: string
  readonly thread: Thread
  readonly asking: Asking
  readonly ports: AgUiPorts
}

/**
 * Gives the answers for which a conversation's run waits, then says the message if there is one too. Nothing where the message is all there
 * is to take. A client may answer under the name of the run that asked. @throws ServiceError `not-found` for answers
 * to what was never asked,
 * `key-reused`
 */
export async function answer(
  request: Answers,
  asking: Asking,
  ports: AgUiPorts,
  thread: Thread,
): Promise<Begun | undefined> {
  const key = keyOf(asking.agent, thread.id, runNameIn(request.view))
  const told = { request, key, thread, asking, ports }
  const said = messageIn(request)
  const named = await findRun(ports.runs, asking.userId, key)
  const run = named ?? (await ports.runs.current(thread.id))
  if (!run) return undefined
  const entries = await ports.runs.structure(run)
  const isOwnName = named?.key === key
  const isGiven = (await give(run, entries, told)) || (named !== undefined && !isOwnName)
  if (isOwnName && !isGiven && said) return undefined
  if (isOwnName && !isGiven && !asks(entries, request))
    throw new ServiceError('key-reused', 'runId: another request was sent under this name before.')
  const isNew = said !== undefined && !isSaid(said, run, entries)
  if (isGiven) return isNew ? join(said, run, told) : partOf(run, told)
  if (isNew) return undefined
  // Others were quicker, or it was sent before: what followed is what is left to tell.
  if (asks(entries, request)) return partOf(run, told)
  const earlier = said ? undefined : await earlierOf(told)
  return earlier && partOf(earlier, told)
}

/** Whether any of the answers was waited for. What is not is passed over: a client tells of all that its tools have ever given. */
async function give(
  run: Run,
  entries: readonly LogEntry[],
  { request, key, asking, ports }: Answering,
): Promise<boolean> {
  const open = openQuestions(entries)
  const due = request.answers.filter((sent) => fits(sent, open.get(sent.callId)?.kind))
  const secrets = request.secrets === undefined ? {} : { secrets: request.secrets }
  // The page's tools may have changed it: whoever goes on with the answers is to see that.
  if (due.length > 0 && request.state !== undefined) await ports.runs.share(run, request.state, asking.userId)
  for (const sent of due) {
    try {
      await ports.runs.answer(run, { ...sent, key, ...secrets }, asking.userId)
    } catch (error) {
      if (!(isServiceError(error) && PASSED_OVER.has(error.code))) throw error
    }
  }
  return due.length > 0
}

/** A yes that has been given is sent once more by one who knows no better, while its call waits for the client's output. */
function fits({ answer: { kind } }: ClientAnswer, asked: 'approval' | 'output' | undefined): boolean {
  return asked !== undefined && !(kind === 'approval' && asked === 'output')
}

function messageIn(request: Answers | (Answers & Message)): Message | undefined {
  return 'message' in request ? request : undefined
}

/** Whether a run has its message already: a client that has seen nothing of the answer yet has it last. */
function isSaid({ message }: Message, run: Run, entries: readonly LogEntry[]): boolean {
  const { clientId, parts } = message
  if (clientId !== undefined && clientId === run.request.clientId) return true
  const joined = entries.findLast(({ event }) => event.type === 'user.joined')?.event
  return joined?.type === 'user.joined' && canonicalJson(joined.input) === canonicalJson(parts)
}

/** The message joins the run that has been answered; where others still wait for something it begins a run of its own. */
async function join(said: Message, run: Run, told: Answering): Promise<Begun> {
  const { key, thread, asking, ports } = told
  const begun = await start(said, { ...asking, policy: 'steer' }, ports, { thread, key: `${key}:message` })
  return begun.run.id === run.id ? partOf(run, told) : begun
}

async function partOf({ id }: Run, { request, key, asking, ports }: Answering): Promise<Begun> {
  const { userId, protocol } = asking
  const run = await ports.runs.get(userId, id)
  const calls = new Set(request.answers.map(({ callId }) => callId))
  const part = partAfter(await ports.runs.structure(run), { key, calls }, protocol)
  return { run, view: protocol.view(request.view, {}), ...part }
}

function asks(entries: readonly LogEntry[], { answers }: AnswerRequest): boolean {
  const calls = new Set(answers.map(({ callId }) => callId))
  return entries.some(({ event }) => event.type === 'tool.asked' && calls.has(event.callId))
}

/** The run before the conversation's latest that has asked what is answered last: a call is named after its run. */
async function earlierOf({ request, thread, asking, ports }: Answering): Promise<Run | undefined> {
  const { callId = '' } = request.answers.at(-1) ?? {}
  const run = await findRun(ports.runs, asking.userId, callId.slice(0, Math.max(0, callId.lastIndexOf('.'))))
  if (run?.threadId !== thread.id) return undefined
  return asks(await ports.runs.structure(run), request) ? run : undefined
}
