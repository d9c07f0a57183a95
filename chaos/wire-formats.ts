import { HttpAgent } from '@ag-ui/client'
import * as ai from 'ai'

import type { LogEntry } from '../packages/dragoman/src/index.ts'
import { contentOfAgUi, type AgUiMessage } from '../test/laws/ag-ui-content.ts'
import { openChat } from '../test/clients/sdk-chat.ts'
import { openV4, v4User } from '../test/clients/sdk-v4.ts'
import { saidByEve } from '../agents/jobs/test/laws/eve-reader.ts'
import {
  folded,
  contentOfChat,
  contentOfFold,
  contentOfV4,
  type MessageContent,
} from '../test/laws/message-content.ts'

/** The protocol whose frames are log entries. */
export const LOG_PROTOCOL = 'native'

/** A frame of a body: its text, its end among the bytes, and its cursor. */
export type Frame = { readonly text: string; readonly end: number; readonly cursor: string | undefined }

/** A wire format as a client sees it. */
export type WireFormat = {
  /** Whether a reader can resume after a cursor. Otherwise it reads from the start. */
  readonly cursors: boolean
  /** Whether a repeated message returns its existing run without a key. */
  readonly keyed: boolean
  /** The complete frames of a body, without heartbeats. */
  frames(bytes: Buffer): readonly Frame[]
  /** What a client reads from a complete body. `complete` are the calls with complete input. */
  read(body: Buffer, complete: ReadonlySet<string>): Promise<MessageContent>
}

/** The protocols of the server, by name. */
export const wireFormats: Readonly<Record<string, WireFormat>> = {
  'ui-message-stream': {
    ...events(true),
    async read(body, complete) {
      const chat = openChat(ai, { url: 'http://localhost', id: 'chat', fetch: async () => sse(body) })
      await chat.sendMessage({ text: 'Go.' })
      const message = chat.messages.at(-1)
      const answer: ChatMessage =
        message?.role === 'assistant' ? message : { id: '', role: 'assistant', parts: [] }
      return withRefusals(contentOfChat(answer, complete), answer)
    },
  },
  'data-stream': {
    cursors: false,
    keyed: false,
    frames: linesOf,
    async read(body, complete) {
      const chat = openV4({ api: 'http://localhost', fetch: async () => new Response(body) })
      const { message } = await chat.send('chat', [v4User('Go.')])
      return contentOfV4(message ?? { role: 'assistant', content: '', parts: [] }, complete)
    },
  },
  eve: {
    ...events(false),
    read: async (body) => saidByEve(framesOf(body).map(dataOf)),
  },
  'ag-ui': { ...events(true), read: readAgUi },
  native: {
    ...events(false),
    read: async (body) => contentOfFold(folded(framesOf(body).map(entryOf))),
  },
}

type ChatMessage = Parameters<typeof contentOfChat>[0]

/** Pages show a refusal in words of their own; other formats have those of the log. */
function withRefusals(content: MessageContent, { parts }: ChatMessage): MessageContent {
  const denied = new Set(
    parts.flatMap((part) =>
      'toolCallId' in part && part.state === 'output-denied' ? [part.toolCallId] : [],
    ),
  )
  const calls = Object.entries(content.calls).map(([id, call]) => [
    id,
    denied.has(id) ? { ...call, words: `The user did not allow ${call.tool}.` } : call,
  ])
  return { ...content, calls: Object.fromEntries(calls) as MessageContent['calls'] }
}

/** @throws if the server has no such protocol */
export function wireFormatOf(name: string): WireFormat {
  const format = wireFormats[name]
  if (!format) throw new Error(`The server has no protocol ${name}.`)
  return format
}

export function entryOf(frame: Frame): LogEntry {
  const { seq, at, ...event } = JSON.parse(dataOf(frame)) as { seq: number; at: number }
  return { seq, at, event } as LogEntry
}

function events(keyed: boolean): Pick<WireFormat, 'cursors' | 'keyed' | 'frames'> {
  return { cursors: true, keyed, frames: framesOf }
}

/** The complete events of a body, without heartbeats and without what AG-UI adds to its log. */
function framesOf(bytes: Buffer): Frame[] {
  return splitFrames(bytes, '\n\n')
    .filter(({ text }) => !text.startsWith(':') && text !== 'data: {"type":"ping"}\n\n')
    .filter(({ text }) => !text.startsWith('data: {"type":"MESSAGES_SNAPSHOT"'))
    .map(({ text, end }) => ({ text, end, cursor: /^id: (.*)$/m.exec(text)?.[1] }))
}

function linesOf(bytes: Buffer): Frame[] {
  return splitFrames(bytes, '\n').filter(({ text }) => text !== '\n' && !LAST_LINE.test(text))
}

/** What a server says last where it cuts off a body of lines. */
const LAST_LINE = /^(?:8:\[\{"interrupted":true\}\]|3:"The connection to the server was cut off)/

/** Whether a server has cut a body off that ends so, though the body ends in order. */
export function isCutOff(end: string): boolean {
  return /^(?:: interrupted|8:\[\{"interrupted":true\}\])$/m.test(end)
}

/** The texts up to each mark, including it. */
function splitFrames(bytes: Buffer, mark: string): Frame[] {
  const frames: Frame[] = []
  let begin = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, begin)) {
    const end = at + mark.length
    frames.push({ text: bytes.toString('utf8', begin, end), end, cursor: undefined })
    begin = end
  }
  return frames
}

function dataOf({ text }: Frame): string {
  return /^data: (.*)$/m.exec(text)?.[1] ?? ''
}

/** A response as clients of the AI SDK get it. */
function sse(body: Buffer): Response {
  return new Response(new Uint8Array(body), { headers: { 'content-type': 'text/event-stream' } })
}

/**
 * What AG-UI's client reads from a run's complete body. An interrupted text and its continuation are one message with
 * an empty line between them, unlike in other protocols. `complete` are the calls with complete input. If the client
 * refuses the body, the result is its error.
 */
async function readAgUi(body: Buffer, complete: ReadonlySet<string>): Promise<MessageContent> {
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = async (): Promise<Response> => new Response(new Uint8Array(body), { headers })
  const agent = new HttpAgent({ url: 'http://localhost', fetch })
  const refused = await agent.runAgent().then(
    () => undefined,
    (error: unknown) => String(error),
  )
  if (refused !== undefined) return { text: refused, reasoning: '', calls: {} }
  const messages = (agent.messages as readonly AgUiMessage[]).map((message) => {
    const toolCalls = (message.toolCalls ?? []).filter(({ id }) => complete.has(id))
    return Object.assign({}, message, { toolCalls })
  })
  const own = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const { text, ...said } = contentOfAgUi(own)
  return { ...said, text: text.replaceAll('\n\n', '') }
}
