import type { LogEntry } from './run-event.ts'

/**
 * Tells an entry from another one with the same number, in up to seven characters: a log that was restored to an
 * earlier point writes its numbers again. A log only grows, so where one entry is the same all before it are.
 */
export function entryMark({ at, event }: Pick<LogEntry, 'at' | 'event'>): string {
  const content = 'delta' in event && typeof event.delta === 'string' ? event.delta : event.type
  const text = `${at} ${content}`
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash, 31) + text.charCodeAt(index)
  return (hash >>> 0).toString(36)
}
