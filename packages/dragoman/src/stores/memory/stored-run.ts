import type { LogEntry, NewRun, Run } from '../../events/index.ts'
import { isHandedOver, type RunClaim, type RunState } from '../../log/index.ts'

/** A run with its log, as a process holds it in memory. */
export type StoredRun = {
  run: NewRun & { createdAt: number }
  state: RunState
  log: LogEntry[]
  readonly claims: RunClaim[]
  changed: number
  pruned: boolean
}

/** Sets the state that a claim leaves. */
export function setClaimedState(held: StoredRun, state: RunState): void {
  const { epoch, owner } = state
  if (epoch !== held.state.epoch && owner !== undefined) held.claims.push({ epoch, owner, at: Date.now() })
  held.state = state
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
