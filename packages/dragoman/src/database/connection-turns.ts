import { fairQueue, loopTurns, userOfWork } from '../async/index.ts'

/** Who may use the only connection of a database. */
export interface ConnectionTurns {
  /** Resolves when the connection is the caller's, until `release` is called. */
  acquire(): Promise<void>
  release(): void
}

/**
 * Lets one query, or one transaction, have the connection at a time. Users take turns: all that one user asks for makes
 * another wait for one query of it. Between queries, the event loop gets its turns.
 */
export function connectionTurns(): ConnectionTurns {
  const queue = fairQueue()
  const turn = loopTurns()
  let release = (): void => undefined
  return {
    acquire: () =>
      new Promise((resolve) => {
        void queue.run(userOfWork(), async () => {
          await turn()
          const use = Promise.withResolvers<void>()
          release = use.resolve
          resolve()
          await use.promise
        })
      }),
    release: () => release(),
  }
}
