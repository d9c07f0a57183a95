import type { ServerPlugin } from 'dragoman/server'
import { useAi } from '@dragoman/ag-ui/protocol'

/**
 * Every agent over Socket.IO, for the clients of use-ai and any other. It serves `/socket.io` on the server's port and
 * is loaded at the first request.
 *
 * @example
 * const server = await createServer({ agents: [dice], plugins: [socketIo()] })
 */
export function socketIo(): ServerPlugin {
  return {
    name: 'socket.io',
    protocols: [useAi],
    async openSockets(services) {
      const { openSockets } = await import('./open-sockets.ts')
      return openSockets(services)
    },
  }
}
