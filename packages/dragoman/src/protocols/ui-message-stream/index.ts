import { INTERRUPTION } from '../interruption.ts'
import type { Protocol } from '../protocol.ts'
import { createEncoder } from './encode.ts'
import { toUiMessage, toUiUserMessage } from './to-ui-message.ts'
import { body, parse } from './parse.ts'
import { parseUiViewOptions, type Profile } from './ui-view-options.ts'

export { toUiMessage, toUiUserMessage }

/**
 * The AI SDK's UI message stream, in the form that every client from 6.0.0 on accepts. Clients of version 5 have a
 * profile of their own.
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
  // WorkflowChatTransport counts the chunks, and goes on by itself where none is a finish.
  interruption: (view) =>
    parseUiViewOptions(view).isChat && JSON.stringify({ type: 'error', errorText: INTERRUPTION }),
  whole: (run, view, message) => toUiMessage(message, { runId: run.id, conversationId: run.threadId }, view),
}

/** The same for a server whose pages have that version where a request does not say or show another one. */
export function uiMessageStreamOf(profile: Profile): Protocol {
  const view: Protocol['view'] = (ofRun, query) => ({ profile, ...parseUiViewOptions(ofRun, query) })
  return { ...uiMessageStream, view }
}
