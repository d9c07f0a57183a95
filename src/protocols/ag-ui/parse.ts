import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json } from '../../events/index.ts'
import { readBody, type RunRequest } from '../protocol.ts'

const message = z.looseObject({ id: z.string(), role: z.string(), content: z.string().optional() })
export const body = z
  .looseObject({
    threadId: z.string().min(1),
    runId: z.string().min(1),
    protocolVersion: z.string().optional(),
    messages: z.array(message),
  })
  .meta({ id: 'RunAgentInput', description: 'What an AG-UI client posts.' })

export function parse(sent: Json): RunRequest {
  const { threadId, runId, protocolVersion, messages } = readBody(body, sent)
  const last = messages.at(-1)
  if (last?.role !== 'user' || !last.content)
    throw new ServiceError('invalid-request', 'messages: the last message must be the user’s')
  return {
    thread: threadId,
    turns: [],
    message: { clientId: last.id, parts: [{ type: 'text', text: last.content }] },
    context: {},
    stream: true,
    view: { threadId, runId, ...(protocolVersion !== undefined && { version: protocolVersion }) },
  }
}
