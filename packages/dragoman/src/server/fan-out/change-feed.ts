import type { UserChange, UserChanges } from '../../log/index.ts'
import { createWaiter, type Feed } from './feed.ts'

export type { UserChange, UserChanges } from '../../log/index.ts'

/** A reader that leaves more unread is told `changed` in their place. */
const MAX_UNSENT = 100
/** Notices may be lost: so often, the reader is told to read again in any case. In ms. */
const REPEAT_MS = 60_000

/** What changes of a user's from now on, as server-sent events. The first one is `changed`. */
export async function openChangeFeed(changes: UserChanges, userId: string): Promise<Feed> {
  const utf8 = new TextEncoder()
  const unsent = new Set<string>()
  const { wait, tell } = createWaiter()
  const add = (change: UserChange): void => {
    const isTooMuch = unsent.size >= MAX_UNSENT
    if (isTooMuch || change.type === 'changed') unsent.clear()
    unsent.add(JSON.stringify(isTooMuch ? { type: 'changed' } : change))
    tell()
  }
  const end = await changes.listen(userId, add)
  const timer = setInterval(add, REPEAT_MS, { type: 'changed' })
  timer.unref()
  add({ type: 'changed' })
  return {
    take() {
      const [next] = unsent
      if (next === undefined) return 'wait'
      unsent.delete(next)
      return utf8.encode(`data: ${next}\n\n`)
    },
    whenMore: wait,
    close() {
      clearInterval(timer)
      end().catch(() => undefined)
    },
  }
}
