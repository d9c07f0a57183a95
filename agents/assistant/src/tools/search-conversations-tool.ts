import { z } from 'zod'

import { defineTool, toolResult, quoteUntrustedBlock, type AgentServices, type Tool } from 'dragoman/agents'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'

const MAX_MESSAGE_LENGTH = 1000

/** Lets the agent look for what was said before. */
export function searchConversationsTool(search: AgentServices['searchMessages']): Tool {
  return defineTool({
    name: 'search_conversations',
    description:
      "Looks through all of this user's own earlier conversations, with every agent, for messages that " +
      'have all of the words; the newest first. Use few words: those that were surely said. It knows ' +
      'nothing of other users.',
    inputSchema: z.object({ words: z.string().min(1).max(200), limit: z.int().min(1).max(20).optional() }),
    idempotent: true,
    execute: async ({ words, limit = 10 }, { userId, runId }) => {
      const found = await search({ userId, words, limit, besides: runId })
      if (found.length === 0)
        return toolResult({ output: [], text: `Nothing was said before with all of these words: ${words}` })
      const lines = found.map(({ role, sentAt, agent, title, text }) => {
        const place = title === undefined ? agent : `${agent}, “${toSingleLine(title, 100)}”`
        const time = sentAt.slice(0, 16).replace('T', ' ')
        return `- ${time} UTC, ${role} (${place}): ${toSingleLine(text, MAX_MESSAGE_LENGTH)}`
      })
      return toolResult({
        output: found,
        text: quoteUntrustedBlock('earlier-conversations', lines.join('\n'), 30_000),
      })
    },
  })
}
