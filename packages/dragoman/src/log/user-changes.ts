import type { DataEvent, LogEntry, RunStatus } from '../events/index.ts'
import type { Notifier } from './notifier.ts'

/** What has changed of a user's. `changed`: anything may have, so read again what is shown. */
export type UserChange =
  | { readonly type: 'changed' }
  | { readonly type: 'thread.changed' | 'thread.deleted'; readonly threadId: string }
  | {
      readonly type: 'run.changed'
      readonly threadId: string
      readonly runId: string
      readonly status: RunStatus
    }
  | { readonly type: 'questions.changed' }

/**
 * Tells the clients of a user on all nodes what has changed. It is not the truth: a notice may be lost, doubled, or
 * replaced by `changed`.
 *
 * @example
 * const untilRun = async (changes: UserChanges): Promise<void> => {
 *   const run = Promise.withResolvers<void>()
 *   const end = await changes.listen('ada', ({ type }) => type === 'run.changed' && run.resolve())
 *   await run.promise
 *   await end()
 * }
 */
export interface UserChanges {
  announce(userId: string, change: UserChange): void
  /** Calls back after each change of a user. Gives the way to end it. */
  listen(userId: string, onChange: (change: UserChange) => void): Promise<() => Promise<void>>
}

const NAME = 'user-changed'

export function createUserChanges(notifier: Pick<Notifier, 'notify' | 'listen'>): UserChanges {
  return {
    announce(userId, change) {
      const event: DataEvent = { type: 'data', name: NAME, value: change }
      notifier.notify(topicOf(userId), [{ seq: 0, at: Date.now(), event }])
    },
    listen: (userId, onChange) =>
      notifier.listen(topicOf(userId), (entries) => {
        if (!entries) return onChange({ type: 'changed' })
        for (const entry of entries) onChange(changeOf(entry))
      }),
  }
}

/** Encoded: a bus passes on topics without spaces and dots. */
function topicOf(userId: string): string {
  return `user/${Buffer.from(userId).toString('base64url')}`
}

/** The node of the notice may be of another version. */
function changeOf({ event }: LogEntry): UserChange {
  const isKnown = event.type === 'data' && event.name === NAME
  return isKnown ? (event.value as UserChange) : { type: 'changed' }
}
