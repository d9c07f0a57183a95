import type { RunEvent } from '../events/index.ts'
import { isDelta } from './join-deltas.ts'

/** What an event that is no delta takes in memory besides its JSON, about. */
const OVERHEAD_BYTES = 200
/**
 * What a part counts besides. Each event of a run takes time by the number of its parts: five thousand are many times
 * what a run of hundreds of steps has.
 */
const PART_BYTES = 3000
const PARTS: ReadonlySet<RunEvent['type']> = new Set([
  'text.started',
  'reasoning.started',
  'tool.started',
  'tool.called',
  'data',
  'source',
  'file',
  'custom',
])

/** The bytes of an event that count toward the limit of its run. */
export function eventSize(event: RunEvent): number {
  if (isDelta(event)) return Buffer.byteLength(event.delta)
  return jsonBytes(event) + OVERHEAD_BYTES + (PARTS.has(event.type) ? PART_BYTES : 0)
}

/** The store refuses what is no JSON, with the reason. */
function jsonBytes(event: RunEvent): number {
  try {
    return Buffer.byteLength(JSON.stringify(event))
  } catch {
    return 0
  }
}
