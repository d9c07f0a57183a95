import type { SocketServices } from 'dragoman/server'
import type { SocketServer } from 'dragoman/http'
import { socketServer } from './transport/server.ts'
import { socketIoApi } from './use-ai/api.ts'

/** The transport, with the messages of use-ai. */
export function openSockets(services: SocketServices): SocketServer {
  const { resolveCaller, origins, readerRegistry, callerRules, limits, logMessage, report } = services
  const agents = services.agents.map(({ id, name, description }) => ({
    id,
    name,
    ...(description !== undefined && { annotation: description }),
  }))
  const moduleMessages = services.agents.flatMap(({ id, messages }) =>
    Object.entries(messages).map(([type, toRequest]) => ({ type, agent: id, toRequest })),
  )
  const serve = socketIoApi({ ...services, agents, moduleMessages, noted: logMessage })
  return socketServer({ resolveCaller, origins, readerRegistry, callerRules, limits, report, serve })
}
