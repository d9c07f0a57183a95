import type { Run } from 'dragoman/events'
import type { Connection } from '../transport/connection.ts'

/** Which socket each run asks for the results of its page tools: one at a time, or several tabs would run them. */
export interface Holders {
  /** Gives a run to a socket that comes to it and is still there, if no other has it. Whether it has it now. */
  join(run: Run, connection: Connection): boolean
  leave(run: Run, connection: Connection): void
}

export function holders(): Holders {
  const held = new Map<string, Connection>()
  return {
    join({ id, reply }, connection) {
      const holder = held.get(id)
      if (holder && holder !== connection && !holder.gone.aborted) return false
      // Who began it elsewhere is asked there.
      if (reply.protocol !== 'use-ai' || connection.gone.aborted) return false
      held.set(id, connection)
      return true
    },
    leave({ id }, connection) {
      if (held.get(id) === connection) held.delete(id)
    },
  }
}
