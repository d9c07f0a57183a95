import type { StartRequest } from './ports.ts'

/** The start of a key within a thread; in all other keys `$thread` is a word of the client's. */
const THREAD_KEY = /^(?:message|run):[^:$]*\/\$thread:/

/** The keys of a request in its thread. */
export function keysIn(
  { key, alias }: Pick<StartRequest, 'key' | 'alias'>,
  threadId: string,
): { key?: string; alias?: string } {
  const named = (one: string): string => (isThreadKey(one) ? one.replace('$thread', threadId) : one)
  return {
    ...(key !== undefined && { key: named(key) }),
    ...(alias !== undefined && { alias: named(alias) }),
  }
}

/** Whether a key names a run only within its thread. */
export function isThreadKey(key: string): boolean {
  return THREAD_KEY.test(key)
}
