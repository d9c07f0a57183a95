import { INTERRUPTION, thinkingView, type Protocol } from 'dragoman/protocols'
import { encoder, whole } from './encode.ts'
import { wholeError } from './error-code.ts'
import { body, parse } from './parse.ts'

/** The frames that the Eve jobs chat documents, and nothing else. Its heartbeat is a frame, not a comment. */
export const eve: Protocol = {
  name: 'eve',
  readsPlainTexts: () => true,
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  heartbeat: 'data: {"type":"ping"}\n\n',
  framing: 'events',
  numbered: false,
  endsAtWaiting: true,
  endsWithCaller: true,
  body,
  parse,
  view: thinkingView,
  encoder,
  interruption: () => JSON.stringify({ type: 'error', error: INTERRUPTION, code: 'agent_error' }),
  whole,
  wholeError,
}
