import type { LogEntry } from './run-event.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Tells an entry from another one with the same number, in up to seven characters: a log that was restored to an
 * earlier point writes its numbers again. A log only grows, so where one entry is the same all before it are.
 */
export function entryMark({ at, event }: Pick<LogEntry, 'at' | 'event'>): string {
  const content = 'delta' in event && typeof event.delta === 'string' ? event.delta : event.type
  const text = `${at} ${content}`
  let hash = FNV_OFFSET
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME)
  return (hash >>> 0).toString(36)
}
