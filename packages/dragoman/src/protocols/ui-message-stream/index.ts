import type { Protocol } from '../protocol.ts'
import { createEncoder } from './encode.ts'
import { toUiMessage } from './to-ui-message.ts'
import { body, parse } from './parse.ts'
import { parseUiViewOptions } from './ui-view-options.ts'

export { toUiMessage }

/**
 * The AI SDK's UI message stream, in the form that every client from 5.0.0 on accepts. Clients that name a newer
 * version get more.
 */
export const uiMessageStream: Protocol = {
  name: 'ui-message-stream',
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  heartbeat: ': ping\n\n',
  framing: 'events',
  numbered: true,
  endsAtWaiting: true,
  body,
  parse,
  view: parseUiViewOptions,
  encoder: createEncoder,
  whole: (run, view, message) => toUiMessage(message, { runId: run.id, conversationId: run.threadId }, view),
}
