import { isJsonObject, type Json } from '../../events/index.ts'
import { chatPolicy } from '../chat-policy.ts'
import { INTERRUPTION } from '../interruption.ts'
import { hasMessageField } from '../message-fields.ts'
import type { Protocol } from '../protocol.ts'
import { createEncoder } from './encode.ts'
import { toUiMessage, toUiUserMessage } from './to-ui-message.ts'
import { body, parse } from './parse.ts'
import { parseUiViewOptions, type Profile } from './ui-view-options.ts'

/** A stream without content. No client creates a message from it. */
const EMPTY_STREAM = 'data: {"type":"finish"}\n\ndata: [DONE]\n\n'

/**
 * The AI SDK's UI message stream, in the form that every client from 6.0.0 on accepts. Clients of version 5 have a
 * profile of their own.
 */
export const uiMessageStream: Protocol & Required<Pick<Protocol, 'history'>> = {
  name: 'ui-message-stream',
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  heartbeat: ': ping\n\n',
  framing: 'events',
  numbered: true,
  endsAtWaiting: true,
  recognizes: isUiBody,
  policy: chatPolicy,
  stopsOnDisconnect: true,
  history: {
    message: (message, ids, view) =>
      message.role === 'user' ? toUiUserMessage(message, view) : toUiMessage(message, ids, view),
    resumePath: (runId) => `/${runId}/stream`,
  },
  // A client that counts chunks reads until a finish.
  emptyBody: (byIndex) => (byIndex ? EMPTY_STREAM : undefined),
  body,
  parse,
  view: parseUiViewOptions,
  encoder: createEncoder,
  // WorkflowChatTransport counts the chunks, and goes on by itself where none is a finish.
  interruption: (view) =>
    parseUiViewOptions(view).isChat && JSON.stringify({ type: 'error', errorText: INTERRUPTION }),
  whole: (run, view, message) => toUiMessage(message, { runId: run.id, conversationId: run.threadId }, view),
}

/** AI SDK 5 and later send `trigger` or parts, in its docs a single message object. */
function isUiBody(raw: Json): boolean {
  if (!isJsonObject(raw)) return false
  return 'trigger' in raw || hasMessageField(raw, 'parts') || isSingleMessage(raw)
}

function isSingleMessage({ message, messages }: { readonly [field: string]: Json }): boolean {
  return !Array.isArray(messages) && isJsonObject(message)
}

/** The same for a server whose pages have that version where a request does not say or show another one. */
export function uiMessageStreamOf(profile: Profile): Protocol {
  const view: Protocol['view'] = (ofRun, query) => ({ profile, ...parseUiViewOptions(ofRun, query) })
  return { ...uiMessageStream, view }
}
