import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { parseBody, showThinking, stream, type RunRequest } from 'dragoman/protocols'
import { agentEventsView } from './agent-events-view.ts'
import { historyMessageSchema } from './history-schema.ts'
import { isPiClient } from './pi-client.ts'
import { toMessages } from './to-messages.ts'

const required = (field: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? `${field} is required` : `${field} must be a text`,
})

export const bodySchema = z
  .object({
    message: z.string(required('message')).describe('The user’s words.'),
    workDir: z
      .string(required('workDir'))
      .describe('The folder to work in, by its absolute path: below a served root.'),
    history: z
      .array(historyMessageSchema, 'must be a list of messages')
      .nullish()
      .describe(
        'The conversation so far, which the client keeps: what the last answer’s `complete` gave as ' +
          '`messages`, or messages of pi.',
      ),
    llmConfig: z
      .json()
      .optional()
      .describe('Which model is to answer, and with which key: for this request alone, kept nowhere.'),
    showThinking: showThinking.nullish(),
    stream: stream.nullish(),
  })
  .meta({
    id: 'AgentChatRequest',
    description: 'The agent chat.',
    examples: [{ message: 'What does this project do?', workDir: '/home/me/project' }],
  })

/** Reads a request of the agent chat, whose client keeps the conversation. */
export function parse(data: Json): RunRequest {
  const request = parseBody(bodySchema, data)
  const { message, workDir, history } = request
  for (const [field, text] of Object.entries({ message, workDir }))
    if (text.trim() === '') throw new ServiceError('invalid-request', `${field} is required`)
  return {
    turns: [],
    history: toMessages(history ?? []),
    message: { parts: [{ type: 'text', text: message }] },
    context: { workspaceRoot: workDir },
    stream: request.stream ?? true,
    view: agentEventsView({
      showThinking: request.showThinking ?? true,
      ...(isPiClient(request.llmConfig) && { piClient: true }),
    }),
  }
}
