import type { ContextRules } from 'dragoman/agents'
import type { Surface } from 'dragoman/modules'
import { agentEvents } from './protocols/agent-events/index.ts'
import { agentChat } from './agent-chat/agent-chat.ts'
import { chatStream } from './chat-stream/chat-stream.ts'

/** The two documented chats of the coding agent: the agent chat, and the chat stream with its sessions. */
export function codingSurfaces(agent: string, resolve?: ContextRules['resolve']): Surface[] {
  return [
    {
      path: '/api/agent-chat',
      routes: (server) => agentChat({ ...server, agent, protocol: agentEvents }),
    },
    {
      path: '/api',
      routes: (server) =>
        chatStream({
          ...server,
          agent,
          resolveContext: async (context, userId) => (await resolve?.(context, userId, [])) ?? context,
        }),
    },
  ]
}
