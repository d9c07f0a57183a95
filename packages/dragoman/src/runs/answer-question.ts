import { ServiceError } from '../errors.ts'
import {
  canonicalJson,
  isJsonObject,
  type Answer,
  type Question,
  type Run,
  type RunEvent,
  type ClientAnswer,
} from '../events/index.ts'
import { appendIf, type RunLog, type Store } from '../log/index.ts'
import { readStructure } from './run-snapshots.ts'

type Ports = {
  readonly store: Store
  readonly log: RunLog
  /** The process that continues the run, if only it can. */
  readonly claimFor?: string
}

/**
 * Answers one question of a run: of several answers exactly one counts. @throws ServiceError `not-found` where
 * nothing was asked, `already-answered` with the first answer, `expired`, `run-closed` where the call was settled
 * otherwise, and `invalid-request` where the answer is none to this question
 */
export async function answerQuestion(
  run: Run,
  { callId, answer, key }: ClientAnswer & { readonly key?: string | undefined },
  by: string,
  { store, log, claimFor }: Ports,
): Promise<void> {
  const named = key === undefined ? {} : { key }
  await appendIf(log, run.id, async () => {
    const found = await readStructure(run.id, store)
    const { question, before } = openQuestion(found?.events ?? [], callId)
    if (before && isRepeated(before, answer)) throw alreadyAnswered(before)
    const answered = {
      type: 'tool.answered',
      callId,
      answer: toAnswer(question, answer),
      by,
      ...named,
    } as const
    return {
      events: [answered],
      ifLast: found?.run.lastSeq ?? 0,
      ...(claimFor !== undefined && { claimFor }),
    }
  })
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
type CallEvent = Extract<RunEvent, { callId: string }>

/** A call's open question. `before`: the answer to its earlier question. */
type Open = { readonly question: Question; readonly before?: Of<'tool.answered'> }

function openQuestion(events: readonly RunEvent[], callId: string): Open {
  const ofCall = events.filter((event): event is CallEvent => 'callId' in event && event.callId === callId)
  const at = ofCall.findLastIndex(({ type }) => type === 'tool.asked')
  const question = ofCall[at]
  if (question?.type !== 'tool.asked') throw new ServiceError('not-found', 'There is no such question.')
  for (const event of ofCall.slice(at)) {
    if (event.type === 'tool.answered') throw alreadyAnswered(event)
    if (event.type === 'tool.failed' || event.type === 'tool.returned') throw settledError(event)
  }
  if (events.some(({ type }) => type === 'run.stop-requested')) throw questionClosed()
  if ((question.question.expiresAt ?? Infinity) <= Date.now()) throw expired()
  const before = ofCall.slice(0, at).find((event) => event.type === 'tool.answered')
  return { question: question.question, ...(before && { before }) }
}

/** Whether an answer repeats the approval of the first question, as some clients do, and is no output of the call. */
function isRepeated({ answer }: Of<'tool.answered'>, other: Answer): boolean {
  if (other.kind === 'approval') return true
  if (answer.kind !== 'approval' || other.kind !== 'output') return false
  const { kind: _, ...verdict } = answer
  return canonicalJson(other.output) === canonicalJson(verdict)
}

function alreadyAnswered({ callId, answer }: Of<'tool.answered'>): ServiceError {
  return new ServiceError('already-answered', 'This question has been answered before.', {
    details: { callId, answer },
  })
}

function settledError(event: Of<'tool.failed' | 'tool.returned'>): ServiceError {
  if (event.type === 'tool.failed' && event.failure.code === 'expired') return expired()
  return questionClosed()
}

function questionClosed(): ServiceError {
  return new ServiceError('run-closed', 'This question is no longer asked.')
}

function expired(): ServiceError {
  return new ServiceError('expired', 'The time to answer this question is over.')
}

/** Clients without approvals answer them with a tool's output. */
function toAnswer(question: Question, answer: Answer): Answer {
  if (question.kind === 'output') {
    if (answer.kind !== 'approval') return answer
    throw new ServiceError('invalid-request', 'answer: this call waits for an output, not for an approval.')
  }
  if (answer.kind === 'approval') return answer
  const output = answer.kind === 'output' && isJsonObject(answer.output) ? answer.output : {}
  const { approved, reason } = output
  if (typeof approved === 'boolean')
    return { kind: 'approval', approved, ...(typeof reason === 'string' && { reason }) }
  throw new ServiceError('invalid-request', 'answer: this call waits for an approval: {"approved": true}.')
}
