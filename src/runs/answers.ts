import { isServiceError, ServiceError } from '../errors.ts'
import {
  isJsonObject,
  type Answer,
  type LogEntry,
  type Question,
  type Run,
  type RunEvent,
  type SentAnswer,
} from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'

type Ports = { readonly store: Store; readonly log: RunLog }

/**
 * Answers one question of a run: of several answers exactly one counts. @throws ServiceError `not-found` where nothing was asked,
 * `already-answered` with the first answer, `expired`, `run-closed` where the call was settled otherwise, and `invalid-request` where the
 * answer is none to this question
 */
export async function answerQuestion(
  run: Run,
  { callId, answer, key }: SentAnswer & { readonly key?: string | undefined },
  by: string,
  { store, log }: Ports,
): Promise<void> {
  const named = key === undefined ? {} : { key }
  for (;;) {
    const current = await store.get(run.id)
    const last = current?.lastSeq ?? 0
    const entries = await store.read(run.id, 0, { to: last, structure: true, limit: Number.MAX_SAFE_INTEGER })
    const question = openQuestion(entries, callId)
    const fitting = fit(question, answer)
    try {
      const answered = { type: 'tool.answered', callId, answer: fitting, by, ...named } as const
      await log.append(run.id, [answered], { ifLast: last })
      return
    } catch (error) {
      if (!isServiceError(error, 'conflict')) throw error
    }
  }
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

function openQuestion(entries: readonly LogEntry[], callId: string): Question {
  let asked: Of<'tool.asked'> | undefined
  let isStopped = false
  for (const { event } of entries) {
    isStopped ||= event.type === 'run.stop-requested'
    if (!('callId' in event) || event.callId !== callId) continue
    if (event.type === 'tool.asked') asked = event
    if (event.type === 'tool.answered') throw alreadyAnswered(event)
    if (asked && (event.type === 'tool.failed' || event.type === 'tool.returned')) throw settled(event)
  }
  if (!asked) throw new ServiceError('not-found', 'There is no such question.')
  if (isStopped) throw noLongerAsked()
  if ((asked.question.expiresAt ?? Infinity) <= Date.now()) throw expired()
  return asked.question
}

function alreadyAnswered({ callId, answer }: Of<'tool.answered'>): ServiceError {
  return new ServiceError('already-answered', 'This question has been answered before.', {
    details: { callId, answer },
  })
}

function settled(event: Of<'tool.failed' | 'tool.returned'>): ServiceError {
  if (event.type === 'tool.failed' && event.failure.code === 'expired') return expired()
  return noLongerAsked()
}

function noLongerAsked(): ServiceError {
  return new ServiceError('run-closed', 'This question is no longer asked.')
}

function expired(): ServiceError {
  return new ServiceError('expired', 'The time to answer this question is over.')
}

/** Clients that know no approvals answer them as they would give a tool's output. */
function fit(question: Question, answer: Answer): Answer {
  if (question.kind === 'output') {
    if (answer.kind !== 'approval') return answer
    throw new ServiceError('invalid-request', 'answer: this call waits for an output, not for an approval.')
  }
  if (answer.kind === 'approval') return answer
  const said = answer.kind === 'output' && isJsonObject(answer.output) ? answer.output : {}
  const { approved, reason } = said
  if (typeof approved === 'boolean')
    return { kind: 'approval', approved, ...(typeof reason === 'string' && { reason }) }
  throw new ServiceError('invalid-request', 'answer: this call waits for an approval: {"approved": true}.')
}
