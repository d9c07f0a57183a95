import { isJsonObject, type Json } from '../../events/index.ts'
import { chatPolicy } from '../chat-policy.ts'
import { INTERRUPTION } from '../interruption.ts'
import { hasMessageField } from '../message-fields.ts'
import type { Protocol } from '../protocol.ts'
import { parseThinkingViewOptions } from '../thinking-view-options.ts'
import { createEncoder } from './encode.ts'
import { toDataMessage } from './to-data-message.ts'
import { body, parse } from './parse.ts'

/** What AI SDK 4 sends with the content of a message. */
const FIELDS_OF_V4 = ['parts', 'experimental_attachments', 'toolInvocations']

/**
 * The AI SDK's data stream, which `useChat` read up to version 4. It has no place for a cursor, so a client that
 * reconnects gets the whole stream again.
 */
export const dataStream: Protocol = {
  name: 'data-stream',
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-vercel-ai-data-stream': 'v1' },
  // A comment would break the client; an empty line it passes over.
  heartbeat: '\n',
  framing: 'lines',
  numbered: false,
  endsAtWaiting: true,
  recognizes: isDataBody,
  policy: chatPolicy,
  stopsOnDisconnect: true,
  history: { message: toDataMessage, resumePath: (runId) => `?chatId=${runId}` },
  // The client takes an empty body for no answer.
  emptyBody: () => '',
  body,
  parse,
  view: parseThinkingViewOptions,
  encoder: createEncoder,
  // The first line tells a client that reads the answer again by itself from an answer that has failed.
  interruption: () => `8:[{"interrupted":true}]\n3:${JSON.stringify(INTERRUPTION)}`,
  whole: (run, view, message) =>
    toDataMessage(message, { runId: run.id, conversationId: run.threadId }, view),
}

/** AI SDK 4 sends contents, and with them parts, attachments or calls. */
function isDataBody(raw: Json): boolean {
  if (!isJsonObject(raw) || 'trigger' in raw || !hasMessageField(raw, 'content')) return false
  return FIELDS_OF_V4.some((field) => hasMessageField(raw, field))
}
