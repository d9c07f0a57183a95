import type { Tool } from '../agents/index.ts'
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
import { toAnswer } from './to-answer.ts'

type Ports = {
  readonly store: Store
  readonly log: RunLog
  /** The agents of the server, with their own tools. */
  readonly agents: ReadonlyMap<string, { readonly agent: { readonly tools: readonly Tool[] } }>
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
  { store, log, claimFor, agents }: Ports,
): Promise<void> {
  const named = key === undefined ? {} : { key }
  await appendIf(log, run.id, async () => {
    const found = await readStructure(run.id, store)
    const { question, call, before } = openQuestion(found?.events ?? [], callId)
    const [first] = before
    if (first && question.kind === 'output' && isRepeated(first, answer)) throw alreadyAnswered(first)
    const tool = agents.get(run.agent)?.agent.tools.find(({ name }) => name === call?.tool)
    const fitting = await toAnswer(question, answer, { tool, input: call?.input, userId: run.userId })
    const twin = before.find((earlier) => isSent(earlier, fitting, key))
    if (twin) throw alreadyAnswered(twin)
    const answered = {
      type: 'tool.answered',
      callId,
      answer: fitting,
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

/** A call's open question. `before`: the answers to its earlier ones. */
type Open = {
  readonly question: Question
  readonly call: Of<'tool.called'> | undefined
  readonly before: readonly Of<'tool.answered'>[]
}

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
  return {
    question: question.question,
    call: ofCall.find((event) => event.type === 'tool.called'),
    before: ofCall.slice(0, at).filter((event) => event.type === 'tool.answered'),
  }
}

/** Whether the same request came before. */
function isSent(before: Of<'tool.answered'>, answer: Answer, key: string | undefined): boolean {
  return key !== undefined && before.key === key && canonicalJson(before.answer) === canonicalJson(answer)
}

/** Whether an answer repeats the approval of the first question, as some clients do, and is no output of the call. */
function isRepeated({ answer }: Of<'tool.answered'>, other: Answer): boolean {
  if (other.kind === 'approval') return true
  if (answer.kind !== 'approval' || other.kind !== 'output' || !isJsonObject(other.output)) return false
  const { approved, reason: _reason, input: _input, editedArgs: _edited, ...others } = other.output
  return approved === answer.approved && Object.keys(others).length === 0
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
