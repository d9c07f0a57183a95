import type { SocketServices } from 'dragoman/server'
import type { SocketServer } from 'dragoman/http'
import { createSocketServer } from './transport/socket-server.ts'
import { createUseAiApi } from './use-ai/use-ai-api.ts'

/** The transport, with the messages of use-ai. */
export function openSockets(services: SocketServices): SocketServer {
  const { resolveCaller, origins, load, callerRules, logMessage, report } = services
  const agents = services.agents.map(({ id, name, description }) => ({
    id,
    name,
    ...(description !== undefined && { annotation: description }),
  }))
  const moduleMessages = services.agents.flatMap(({ id, messages }) =>
    Object.entries(messages).map(([type, toRequest]) => ({ type, agent: id, toRequest })),
  )
  const serve = createUseAiApi({ ...services, agents, moduleMessages, logMessage })
  return createSocketServer({ resolveCaller, origins, load, callerRules, report, serve })
}
