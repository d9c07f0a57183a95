import type { Run } from 'dragoman/events'
import { isOfUseAi } from '@dragoman/ag-ui/protocol'
import type { Connection } from '../transport/connection.ts'

/**
 * The socket that each run asks for page tool results. Only one at a time: otherwise several tabs would run the
 * tools.
 */
export interface PageToolSockets {
  /** Assigns a run to an open socket, if no other has it. Returns whether the socket has it now. */
  assign(run: Run, connection: Connection): boolean
  release(run: Run, connection: Connection): void
}

export function createPageToolSockets(): PageToolSockets {
  const sockets = new Map<string, Connection>()
  return {
    assign(run, connection) {
      const { id } = run
      const holder = sockets.get(id)
      if (holder && holder !== connection && !holder.closed.aborted) return false
      // A run that was started over another transport is asked there.
      if (!isOfUseAi(run) || connection.closed.aborted) return false
      sockets.set(id, connection)
      return true
    },
    release({ id }, connection) {
      if (sockets.get(id) === connection) sockets.delete(id)
    },
  }
}
