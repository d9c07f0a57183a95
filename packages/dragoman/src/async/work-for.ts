import { AsyncLocalStorage } from 'node:async_hooks'

const users = new AsyncLocalStorage<string>()

/** Does work for a user. Its queries, and the streams that it opens, take turns with those of others by this user. */
export function workFor<T>(userId: string, work: () => T): T {
  return users.run(userId, work)
}

/** The user for whom the current work is done; empty for none. */
export function userOfWork(): string {
  return users.getStore() ?? ''
}
