import type { Protocol } from '../protocol.ts'
import { thinkingView } from '../thinking.ts'
import { encoder, eveUsage, whole } from './encode.ts'
import { body, parse } from './parse.ts'

export { eveUsage }

/** The frames that the Eve jobs chat documents, and nothing else. Its heartbeat is a frame, not a comment. */
export const eve: Protocol = {
  name: 'eve',
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  heartbeat: 'data: {"type":"ping"}\n\n',
  framing: 'events',
  numbered: false,
  endsAtWaiting: true,
  body,
  parse,
  view: thinkingView,
  encoder,
  whole,
}
