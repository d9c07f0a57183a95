import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json, UserPart } from '../../events/index.ts'
import { clientTools, toClientTools } from '../client-tools.ts'
import { parseBody, type RunRequest } from '../protocol.ts'
import { context, conversationId, modelName, readPolicy, policy, stream } from '../request-fields.ts'
import { filePartSchema, textPartSchema } from '../user-part-schemas.ts'

const part = z.discriminatedUnion('type', [textPartSchema, filePartSchema])
const turn = z.object({
  role: z.enum(['user', 'assistant'], 'must be "user" or "assistant"'),
  content: z.string(),
})

/** What would do nothing here is refused. */
const options = z.strictObject({
  conversationId: conversationId.min(1).max(200).optional(),
  stream: stream.optional(),
  policy: policy.optional(),
  protocol: z.string().optional().describe('native, in place of ?protocol='),
})

export const body = z
  .object({
    message: z.string().min(1).optional().describe('The user’s words.'),
    messages: z
      .array(turn)
      .min(1)
      .optional()
      .describe('The conversation so far, the user’s words last, in place of message.'),
    parts: z.array(part).min(1).optional().describe('Words and files, in place of message.'),
    agent: z.string().optional().describe('The thread’s own, where it is named at all.'),
    context: context.optional(),
    replaces: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A message that this one stands in place of, as a branch. Without words: its answer once more.',
      ),
    tools: clientTools.optional(),
    policy: policy.optional(),
    model: modelName.optional().describe('The model that answers, in place of the thread’s and the agent’s.'),
    stream: stream.optional(),
    options: options.optional(),
  })
  .meta({ id: 'NativeRequest', description: 'Our own words.', examples: [{ message: 'What can you do?' }] })

/** Reads a user message: text, parts, or a conversation that ends with it. */
export function parse(input: Json): RunRequest {
  const request = parseBody(body, input)
  const { agent, context: clientContext, tools, replaces, model, options: chosen } = request
  const thread = chosen?.conversationId
  return {
    ...(agent !== undefined && { agent }),
    ...(thread !== undefined && { thread }),
    turns: (request.messages ?? []).slice(0, -1).map(({ role, content: text }) => ({ role, text })),
    message: { parts: partsOf(request) },
    ...(replaces !== undefined && { replaces }),
    ...(model !== undefined && { model }),
    context: clientContext ?? {},
    ...toClientTools(tools),
    ...readPolicy(request),
    stream: request.stream ?? chosen?.stream ?? true,
    view: {},
  }
}

function partsOf({ message, messages, parts, replaces }: z.infer<typeof body>): readonly UserPart[] {
  if (parts) return parts
  const last = messages?.at(-1)
  if (last && last.role !== 'user')
    throw new ServiceError(
      'invalid-request',
      `messages.${(messages?.length ?? 0) - 1}.role: the last message must be the user's`,
    )
  const text = message ?? last?.content
  if (text !== undefined) return [{ type: 'text', text }]
  if (replaces !== undefined) return []
  throw new ServiceError('invalid-request', 'message, messages or parts is required')
}
