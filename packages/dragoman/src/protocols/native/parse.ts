import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json } from '../../events/index.ts'
import { clientTools, toClientTools } from '../client-tools.ts'
import { parseBody, type RunRequest } from '../protocol.ts'
import { context, modelName, readPolicy, policy, stream } from '../request-fields.ts'
import { filePartSchema, textPartSchema } from '../user-part-schemas.ts'

const part = z.discriminatedUnion('type', [textPartSchema, filePartSchema])
export const body = z
  .object({
    message: z.string().min(1).optional().describe('The user’s words.'),
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
  })
  .meta({ id: 'NativeRequest', description: 'Our own words.', examples: [{ message: 'What can you do?' }] })

/** Reads a user message: text, or parts. */
export function parse(input: Json): RunRequest {
  const request = parseBody(body, input)
  const {
    message,
    parts,
    agent,
    context: clientContext,
    tools,
    replaces,
    model,
    stream: isStreamed,
  } = request
  if (message === undefined && parts === undefined && replaces === undefined)
    throw new ServiceError('invalid-request', 'message or parts is required')
  return {
    ...(agent !== undefined && { agent }),
    turns: [],
    message: { parts: parts ?? (message === undefined ? [] : [{ type: 'text', text: message }]) },
    ...(replaces !== undefined && { replaces }),
    ...(model !== undefined && { model }),
    context: clientContext ?? {},
    ...toClientTools(tools),
    ...readPolicy(request),
    stream: isStreamed ?? true,
    view: {},
  }
}
