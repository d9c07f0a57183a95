import type { SocketServer } from '../http/index.ts'
import type { SocketsOptions } from './server.ts'

export type { Connection } from './connection.ts'
export type { Heard, Take } from './inbox.ts'
export type { SocketsOptions } from './server.ts'

/** Socket.IO, for `listen`: loaded when somebody comes who speaks it. */
export function socketIo(options: SocketsOptions): () => Promise<SocketServer> {
  return async () => (await import('./server.ts')).socketServer(options)
}
