import { textOf, type AnswerRequest, type LogEntry } from 'dragoman/events'
import { readTextApproval, type RunRequest } from 'dragoman/protocols'
import {
  openQuestions,
  findRun,
  runKey,
  runNameOf,
  type AgUiPorts,
  type AgUiRunOptions,
} from 'dragoman/surfaces'

/**
 * Converts a message "yes" or "no" to an answer of the approvals that the thread's run waits for, also if it is sent
 * again under the same name. Returns any other request unchanged.
 */
export async function applyTextApproval(
  request: RunRequest,
  { userId, agent }: Pick<AgUiRunOptions, 'userId' | 'agent'>,
  { runs, threads }: AgUiPorts,
): Promise<RunRequest> {
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
  const calls = run ? findApprovals(await runs.structure(run), key) : []
  if (calls.length === 0) return request
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

/**
 * The calls that wait for approval only, or that were approved or denied under this key. Empty if the run waits for
 * anything else.
 */
function findApprovals(entries: readonly LogEntry[], key: string): readonly string[] {
  const answeredCalls = entries.flatMap(({ event }): readonly string[] =>
    event.type === 'tool.answered' && event.key === key && event.answer.kind === 'approval'
      ? [event.callId]
      : [],
  )
  if (answeredCalls.length > 0) return answeredCalls
  const open = openQuestions(entries)
  const isOnlyApprovals = [...open.values()].every(({ kind }) => kind === 'approval')
  return isOnlyApprovals ? Array.from(open.keys()) : []
}
