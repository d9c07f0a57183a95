import type { RunEvent } from '../events/index.ts'
import { isDelta } from './join-deltas.ts'

/** What an event that is no delta takes in memory besides its JSON, about. */
const OVERHEAD_BYTES = 200

/** The bytes of an event that count toward the limit of its run. */
export function eventSize(event: RunEvent): number {
  return isDelta(event) ? Buffer.byteLength(event.delta) : jsonBytes(event) + OVERHEAD_BYTES
}

/** The store refuses what is no JSON, with the reason. */
function jsonBytes(event: RunEvent): number {
  try {
    return Buffer.byteLength(JSON.stringify(event))
  } catch {
    return 0
  }
}
