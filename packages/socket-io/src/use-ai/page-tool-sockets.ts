import type { Run } from 'dragoman/events'
import type { Connection } from '../transport/connection.ts'

/** Which socket each run asks for the results of its page tools: one at a time, or several tabs would run them. */
export interface PageToolSockets {
  /** Gives a run to a socket that comes to it and is still there, if no other has it. Whether it has it now. */
  assign(run: Run, connection: Connection): boolean
  release(run: Run, connection: Connection): void
}

export function createPageToolSockets(): PageToolSockets {
  const sockets = new Map<string, Connection>()
  return {
    assign({ id, reply }, connection) {
      const holder = sockets.get(id)
      if (holder && holder !== connection && !holder.closed.aborted) return false
      // Who began it elsewhere is asked there.
      if (reply.protocol !== 'use-ai' || connection.closed.aborted) return false
      sockets.set(id, connection)
      return true
    },
    release({ id }, connection) {
      if (sockets.get(id) === connection) sockets.delete(id)
    },
  }
}
