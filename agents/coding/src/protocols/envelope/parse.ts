import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { parseBody, showThinking, type RunRequest } from 'dragoman/protocols'
import { isOriginalPage } from './original-page.ts'
import { envelopeView } from './envelope-view.ts'

// An empty one counts as none.
const name = z.string().max(200)
export const bodySchema = z
  .object({
    sessionId: name
      .nullish()
      .describe('The conversation, by the name that you gave it; a new name begins one.'),
    messageId: name
      .nullish()
      .describe('What you call this request: its messages are named after it, and sent again it runs once.'),
    message: z.string('message is required').describe('The user’s words.'),
    workspaceRoot: z.string().nullish().describe('The folder to work in: below a served root.'),
    model: z.string().nullish().describe('The model that is to answer.'),
    responseMode: z
      .enum(['incremental', 'full'], 'must be "incremental" or "full"')
      .nullish()
      .describe('What each frame says: what is new (the default), or all of the answer so far.'),
    legacyEvents: z
      .boolean()
      .nullish()
      .describe('Also the frames from before the envelopes: connected, warning, error, stream_end.'),
    showThinking: showThinking.nullish().describe('true: with what the model thinks.'),
  })
  .meta({
    id: 'ChatStreamRequest',
    description: 'One message, and how its answer is to be told.',
    examples: [
      { message: 'List the files of this folder' },
      { sessionId: 'my-session', messageId: 'm-1', message: '列出这个目录的文件', responseMode: 'full' },
    ],
  })

/** Reads a request of the chat stream. Which model answers is its surface's affair. */
export function parse(data: Json): RunRequest {
  const request = parseBody(bodySchema, data)
  const { sessionId, messageId, message, workspaceRoot } = request
  const isPage = request.legacyEvents == null && isOriginalPage(messageId)
  if (message.trim() === '') throw new ServiceError('invalid-request', 'message: the message is empty')
  return {
    ...(sessionId && { thread: sessionId }),
    turns: [],
    message: { parts: [{ type: 'text', text: message }], ...(messageId && { clientId: messageId }) },
    context: workspaceRoot ? { workspaceRoot } : {},
    stream: true,
    view: envelopeView({
      responseMode: request.responseMode ?? 'incremental',
      legacyEvents: request.legacyEvents ?? isPage,
      ...(isPage && { originalPage: true }),
      showThinking: request.showThinking ?? false,
      ...(sessionId && { sessionId }),
      ...(messageId && { messageId }),
    }),
  }
}
