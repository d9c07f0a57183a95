import type { SocketServices } from 'dragoman/server'
import type { SocketServer } from 'dragoman/http'
import { createChatSockets } from './chat/chat-sockets.ts'
import { createSocketServer } from './transport/socket-server.ts'
import { createUseAiApi } from './use-ai/use-ai-api.ts'

/** Socket.IO with the messages of use-ai, and WebSockets at the agents' chats. */
export function openSockets(services: SocketServices): SocketServer {
  const { logMessage } = services
  const agents = services.agents.map(({ id, name, description }) => ({
    id,
    name,
    ...(description !== undefined && { annotation: description }),
  }))
  const moduleMessages = services.agents.flatMap(({ id, messages }) =>
    Object.entries(messages).map(([type, toRequest]) => ({ type, agent: id, toRequest })),
  )
  const serve = createUseAiApi({ ...services, agents, moduleMessages, logMessage })
  const socketIo = createSocketServer({ ...services, serve })
  const chats = createChatSockets(services)
  return {
    request: socketIo.request,
    upgrade(incoming, socket, head) {
      if (chats.isFor(incoming)) chats.upgrade(incoming, socket, head)
      else socketIo.upgrade(incoming, socket, head)
    },
    async close(withinMs) {
      await Promise.all([chats.close(withinMs), socketIo.close(withinMs)])
    },
  }
}
