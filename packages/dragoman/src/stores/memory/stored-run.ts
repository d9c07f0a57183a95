import type { LogEntry, NewRun, Run } from '../../events/index.ts'
import { isHandedOver, type RunState } from '../../log/index.ts'

/** A run with its log, as a process holds it in memory. */
export type StoredRun = {
  run: NewRun & { createdAt: number }
  state: RunState
  log: LogEntry[]
  changed: number
  pruned: boolean
}

export function toRun(held: StoredRun): Run
export function toRun(held: StoredRun | undefined): Run | undefined
export function toRun(held: StoredRun | undefined): Run | undefined {
  if (!held) return undefined
  const { status, epoch, crashes, lastSeq } = held.state
  return {
    ...held.run,
    status,
    epoch,
    crashes,
    lastSeq,
    pruned: held.pruned,
    ...(isHandedOver(held.state) && { isHandedOver: true }),
  }
}
