import { ServiceError } from '../errors.ts'
import { isLive, isStructural, isTerminal, type LogEntry, type Run, type RunEvent } from '../events/index.ts'
import type { Condition } from './store.ts'

/**
 * What changes of a run, as every driver keeps it. `openCalls` and `waitingUntil` (ms since 1970) are those of a
 * suspended run.
 */
export type RunState = Pick<Run, 'status' | 'epoch' | 'crashes' | 'lastSeq'> & {
  readonly runId: string
  readonly owner: string | undefined
  readonly openCalls: number
  readonly waitingUntil: number
}

/** The state of a run that has just been admitted. */
export function newState(runId: string, status: Run['status']): RunState {
  return {
    runId,
    status,
    epoch: 0,
    crashes: 0,
    lastSeq: 0,
    owner: undefined,
    openCalls: 0,
    waitingUntil: Infinity,
  }
}

/** Why an append is refused, if it is. */
export function refusal(
  { runId, status, epoch, lastSeq }: RunState,
  as: Condition | undefined,
): ServiceError | undefined {
  if (status === 'finished' || status === 'failed' || status === 'cancelled') {
    return new ServiceError('run-closed', `Run ${runId} has ended.`)
  }
  if (as?.epoch !== undefined && as.epoch !== epoch) {
    return new ServiceError('fenced', `Run ${runId} has been taken over by another process.`)
  }
  if (as?.ifLast !== undefined && as.ifLast !== lastSeq) {
    return new ServiceError('conflict', `Run ${runId} has gone on meanwhile.`, { details: { last: lastSeq } })
  }
  return undefined
}

/**
 * The state after an event. `asked` gives the questions of a log: a suspended run waits as long as the last of them.
 */
export function nextState(
  before: RunState,
  event: RunEvent,
  readStructure: () => readonly LogEntry[],
): RunState {
  const crashes = isProgress(event) ? 0 : before.crashes
  const state = { ...before, crashes, lastSeq: before.lastSeq + 1 }
  if (isTerminal(event)) return { ...state, status: statusAfter(event.type), owner: undefined }
  switch (event.type) {
    case 'run.waiting':
      return { ...state, status: 'waiting', owner: undefined, ...suspension(event.calls, readStructure()) }
    case 'run.resumed':
      return { ...state, status: 'running', openCalls: 0, waitingUntil: Infinity }
    case 'run.stop-requested':
      // There is nothing to wait for any more: any process may end the run.
      return { ...state, openCalls: 0 }
    case 'tool.answered':
      // After a stop an answer opens nothing again.
      return state.status === 'waiting' && state.openCalls > 0
        ? { ...state, ...suspensionAfter(event.callId, readStructure()) }
        : state
    default:
      return state
  }
}

/** Whether an event shows that the process which drives the run got further than to claim it. Deltas are no change. */
function isProgress(event: RunEvent): boolean {
  switch (event.type) {
    case 'run.resumed':
    case 'run.stop-requested':
    case 'state.changed':
      return false
    default:
      return isStructural(event)
  }
}

/**
 * The state of a run that `owner` has claimed. The owner before it, which has not released the run, counts as crashed:
 * what ends a process while it reads the log must not end one process after the other.
 */
export function claimedState(state: RunState, owner: string): RunState {
  const isTakenOver = state.owner !== undefined && state.owner !== owner
  return {
    ...state,
    owner,
    crashes: state.crashes + (isTakenOver ? 1 : 0),
    epoch: state.epoch + 1,
    status: state.status === 'queued' ? 'running' : state.status,
  }
}

/** The state of a run that its owner has given up in order. Undefined if `epoch` does not drive it any more. */
export function releasedState(state: RunState, epoch: number): RunState | undefined {
  return isLive(state) && state.epoch === epoch ? { ...state, owner: undefined } : undefined
}

/** Whether a process has driven the run, and given it up in order: then none has claimed it since. */
export function isHandedOver({
  status,
  epoch,
  owner,
}: Pick<RunState, 'status' | 'epoch' | 'owner'>): boolean {
  return status === 'running' && epoch > 0 && owner === undefined
}

/** The state after an append that claims the run for `owner`, if the run waited and may go on now. */
export function claimedFor(state: RunState, owner: string | undefined): RunState {
  const goesOn = state.status === 'waiting' && state.openCalls === 0 && state.owner === undefined
  return owner !== undefined && goesOn ? claimedState(state, owner) : state
}

type Suspension = Pick<RunState, 'openCalls' | 'waitingUntil'>

/** How many answers a suspended run lacks, and until when it waits for the last of them. */
function suspension(calls: readonly string[], entries: readonly LogEntry[]): Suspension {
  const open = new Map<string, number>()
  for (const { event } of entries) {
    if (event.type === 'tool.asked') open.set(event.callId, event.question.expiresAt ?? Infinity)
    if (event.type === 'tool.answered') open.delete(event.callId)
  }
  const times = calls.flatMap((callId) => open.get(callId) ?? [])
  return { openCalls: times.length, waitingUntil: Math.max(0, ...times) }
}

/** The same, once one more has come. */
function suspensionAfter(answered: string, entries: readonly LogEntry[]): Suspension {
  const waiting = entries.map(({ event }) => event).findLast((event) => event.type === 'run.waiting')
  return suspension(waiting?.calls.filter((callId) => callId !== answered) ?? [], entries)
}

/**
 * Whether there is something to do for a run that may be claimed. `isFree`: no other run of its thread is running or
 * waiting.
 */
export function isClaimable(
  { status, openCalls, waitingUntil }: RunState,
  now: number,
  isFree: () => boolean,
): boolean {
  switch (status) {
    case 'running':
      return true
    case 'waiting':
      return openCalls === 0 || waitingUntil <= now
    case 'queued':
      return isFree()
    case 'finished':
    case 'failed':
    case 'cancelled':
      return false
  }
}

/** The run that holds a thread refuses the next one. */
export function threadBusy(live: Pick<Run, 'id' | 'messageId' | 'threadId'>): ServiceError {
  return new ServiceError('thread-busy', `Run ${live.id} of this conversation has not ended yet.`, {
    details: { runId: live.id, messageId: live.messageId, conversationId: live.threadId },
  })
}

function statusAfter(type: 'run.finished' | 'run.failed' | 'run.cancelled'): Run['status'] {
  return type === 'run.finished' ? 'finished' : type === 'run.failed' ? 'failed' : 'cancelled'
}
