import { ServiceError } from '../errors.ts'
import { isTerminal, type LogEntry, type NewRun, type Run, type RunEvent } from '../events/index.ts'
import type { Condition } from './store.ts'

/** What every driver keeps of a run beside its log. `openCalls` and `waitingUntil` (ms since 1970) are those of a parked run. */
export type RunRow = {
  readonly run: Run
  readonly owner: string | undefined
  readonly openCalls: number
  readonly waitingUntil: number
}

/** The row of a run that has just been admitted. */
export function newRow(run: NewRun, status: Run['status'], now: number): RunRow {
  return {
    run: { ...run, status, epoch: 0, lastSeq: 0, createdAt: now },
    owner: undefined,
    openCalls: 0,
    waitingUntil: Infinity,
  }
}

/** Why an append is refused, if it is. */
export function refusal(run: Run, as: Condition | undefined): ServiceError | undefined {
  if (run.status === 'finished' || run.status === 'failed' || run.status === 'cancelled') {
    return new ServiceError('run-closed', `Run ${run.id} has ended.`)
  }
  if (as?.epoch !== undefined && as.epoch !== run.epoch) {
    return new ServiceError('fenced', `Run ${run.id} has been taken over by another process.`)
  }
  if (as?.ifLast !== undefined && as.ifLast !== run.lastSeq) {
    return new ServiceError('conflict', `Run ${run.id} has gone on meanwhile.`, {
      details: { last: run.lastSeq },
    })
  }
  return undefined
}

/** The row after an event. `asked` gives the questions of a log: a parked run waits as long as the last of them. */
export function nextRow(row: RunRow, event: RunEvent, asked: () => readonly LogEntry[]): RunRow {
  const run = { ...row.run, lastSeq: row.run.lastSeq + 1 }
  if (isTerminal(event)) {
    return { ...row, run: { ...run, status: statusAfter(event.type) }, owner: undefined }
  }
  switch (event.type) {
    case 'run.waiting':
      return { run: { ...run, status: 'waiting' }, owner: undefined, ...parking(event.calls, asked()) }
    case 'run.resumed':
      return { ...row, run: { ...run, status: 'running' }, openCalls: 0, waitingUntil: Infinity }
    case 'tool.answered':
      return { ...row, run, openCalls: Math.max(0, row.openCalls - 1) }
    default:
      return { ...row, run }
  }
}

/** How many answers a parked run lacks, and until when it waits for them. */
function parking(
  calls: readonly string[],
  entries: readonly LogEntry[],
): Pick<RunRow, 'openCalls' | 'waitingUntil'> {
  let waitingUntil = 0
  const answered = new Set<string>()
  for (const { event } of entries) {
    if (event.type === 'tool.answered') answered.add(event.callId)
    if (event.type !== 'tool.asked' || !calls.includes(event.callId)) continue
    waitingUntil = Math.max(waitingUntil, event.question.expiresAt ?? Infinity)
  }
  return { openCalls: calls.filter((id) => !answered.has(id)).length, waitingUntil }
}

/** Whether there is something to do for a run that may be claimed. `isFree`: no other run of its thread is running or waiting. */
export function isClaimable(
  { run, openCalls, waitingUntil }: RunRow,
  now: number,
  isFree: () => boolean,
): boolean {
  switch (run.status) {
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
export function threadBusy(live: Run): ServiceError {
  return new ServiceError('thread-busy', `Run ${live.id} of this conversation has not ended yet.`, {
    details: { runId: live.id, messageId: live.messageId, conversationId: live.threadId },
  })
}

function statusAfter(type: 'run.finished' | 'run.failed' | 'run.cancelled'): Run['status'] {
  return type === 'run.finished' ? 'finished' : type === 'run.failed' ? 'failed' : 'cancelled'
}
