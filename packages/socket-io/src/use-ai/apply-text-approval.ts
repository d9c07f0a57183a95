import { textOf, type AnswerRequest, type LogEntry, type Run } from 'dragoman/events'
import { askInText, canAskInText, readTextApproval } from '@dragoman/ag-ui/protocol'
import { type RunRequest } from 'dragoman/protocols'
import {
  openQuestions,
  findRun,
  runKey,
  runNameOf,
  type AgUiPorts,
  type AgUiRunOptions,
} from '@dragoman/ag-ui/routes'

/** A question that this socket must be asked before its "yes" counts. */
export type UnseenQuestion = { readonly run: Run; readonly text: string; readonly seq: number }

/**
 * Converts a message "yes" or "no" to an answer of the approvals that the thread's run waits for, also if it is sent
 * again under the same name. A "yes" counts for what this socket was asked, up to an entry of each run: another
 * tab or the console may have brought the run to other questions since. Returns any other request unchanged.
 */
export async function applyTextApproval(
  request: RunRequest,
  { userId, agent }: Pick<AgUiRunOptions, 'userId' | 'agent'>,
  { runs, threads }: AgUiPorts,
  questionSeqs: ReadonlyMap<string, number>,
): Promise<RunRequest | UnseenQuestion> {
  if (!('message' in request) || request.thread === undefined) return request
  const { message, thread: name, stream, view, state, secrets } = request
  const hasFiles = message.parts.some(({ type }) => type !== 'text')
  const approved = hasFiles
    ? undefined
    : readTextApproval(textOf({ role: 'user', id: '', parts: message.parts }))
  const thread = approved === undefined ? undefined : await threads.find(userId, name, agent)
  if (approved === undefined || !thread) return request
  const key = runKey(agent, thread.id, runNameOf(view))
  const named = await findRun(runs, userId, key)
  if (named?.key === key) return request
  const run = named ?? (await runs.current(thread.id))
  if (!run) return request
  const entries = await runs.structure(run)
  const answeredCalls = findAnswered(entries, key)
  const calls = answeredCalls.length > 0 ? answeredCalls : findOpen(entries)
  if (calls.length === 0) return request
  if (approved && answeredCalls.length === 0) {
    const unseen = findUnseen(run, entries, questionSeqs.get(run.id) ?? 0)
    if (unseen) return unseen
  }
  const { answers: ownAnswers = [] } = request as Partial<AnswerRequest>
  const approvals = calls.map((callId) => ({ callId, answer: { kind: 'approval', approved } as const }))
  return {
    stream,
    view,
    thread: name,
    answers: [...ownAnswers, ...approvals],
    ...(state !== undefined && { state }),
    ...(secrets !== undefined && { secrets }),
  }
}

/** What the run asks, if the socket has not been asked all of it, or cannot be. */
function findUnseen(run: Run, entries: readonly LogEntry[], askedUpTo: number): UnseenQuestion | undefined {
  const open = openQuestions(entries)
  const calls = entries.flatMap(({ event }) =>
    event.type === 'tool.called' && open.has(event.callId) ? [event] : [],
  )
  const seq = entries.findLast(({ event }) => event.type === 'tool.asked' && open.has(event.callId))?.seq ?? 0
  const isAsked = seq <= askedUpTo && canAskInText(calls)
  return isAsked ? undefined : { run, text: askInText(run, calls), seq }
}

/** The calls that were approved or denied under this key. */
function findAnswered(entries: readonly LogEntry[], key: string): readonly string[] {
  return entries.flatMap(({ event }): readonly string[] =>
    event.type === 'tool.answered' && event.key === key && event.answer.kind === 'approval'
      ? [event.callId]
      : [],
  )
}

/** The calls that wait for approval. Empty if the run waits for anything else. */
function findOpen(entries: readonly LogEntry[]): readonly string[] {
  const open = openQuestions(entries)
  const isOnlyApprovals = [...open.values()].every(({ kind }) => kind === 'approval')
  return isOnlyApprovals ? Array.from(open.keys()) : []
}
