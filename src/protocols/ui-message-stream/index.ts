import type { Protocol } from '../protocol.ts'
import { thinkingView } from '../thinking.ts'
import { encoder, toUiMessage } from './encode.ts'
import { parse } from './parse.ts'

export { toUiMessage }

/** The AI SDK's UI message stream, in the profile that every client from 5.0.0 on accepts. */
export const uiMessageStream: Protocol = {
  name: 'ui-message-stream',
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  heartbeat: ': ping\n\n',
  framing: 'events',
  numbered: true,
  endsAtWaiting: true,
  parse,
  view: thinkingView,
  encoder,
  whole: (run, view, message) => toUiMessage(message, { runId: run.id, conversationId: run.threadId }, view),
}
