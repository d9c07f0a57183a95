import {
  emptyMessage,
  fold,
  isJsonObject,
  isTerminal,
  type AssistantMessage,
  type Json,
  type LogEntry,
  type TerminalEvent,
} from '../../packages/dragoman/src/events/index.ts'
import { CONFIRMED_TOOL } from '../../packages/dragoman/src/protocols/stories.fixture.ts'
import type { ChatMessage } from '../clients/sdk-chat.ts'
import type { V4Message } from '../clients/sdk-v4.ts'
import { wordsOf } from './output-text.ts'

/** What a reader of any format has in the end. */
export type MessageContent = {
  readonly text: string
  readonly reasoning: string
  /** By their ids. The words are what the tool said, or why it failed: none while it is open. */
  readonly calls: Readonly<Record<string, Omit<Call, 'id'>>>
}

type Call = { id: string; tool: string; input: Json; words: string | undefined }
type Card = { readonly name: string; readonly id: string | undefined; readonly value: Json }

export function contentOf(
  text: readonly string[],
  reasoning: readonly string[],
  calls: readonly Call[],
): MessageContent {
  const named = calls.map(({ id, ...call }) => [id, call] as const)
  return { text: text.join(''), reasoning: reasoning.join(''), calls: Object.fromEntries(named) }
}

/** The content of our own fold, without interrupted calls, which some formats omit. `read` converts an input. */
export function contentOfFold(
  { parts }: AssistantMessage,
  read = (input: Json, _callId: string): Json => input,
): MessageContent {
  return contentOf(
    parts.map((part) => (part.type === 'text' ? part.text : '')),
    parts.map((part) => (part.type === 'reasoning' ? part.text : '')),
    parts.flatMap((part) => {
      if (part.type !== 'tool' || part.input === undefined) return []
      const words = part.state === 'failed' ? part.failure?.message : part.text
      return [{ id: part.callId, tool: part.tool, input: read(part.input, part.callId), words }]
    }),
  )
}

/** Of the chat of an AI SDK client. `complete` are the calls whose input had come whole. */
export function contentOfChat({ parts }: ChatMessage, complete: ReadonlySet<string>): MessageContent {
  return contentOf(
    parts.map((part) => (part.type === 'text' ? part.text : '')),
    parts.map((part) => (part.type === 'reasoning' ? part.text : '')),
    parts.flatMap((part) => {
      if (!('toolCallId' in part) || !complete.has(part.toolCallId)) return []
      const words = part.state === 'output-error' ? part.errorText : wordsOf(part.output as Json | undefined)
      const tool = part.type.slice('tool-'.length)
      return [{ id: part.toolCallId, tool, input: part.input as Json, words }]
    }),
  )
}

/** Of the client of AI SDK 4. */
export function contentOfV4(
  { content, reasoning = '', toolInvocations = [] }: V4Message,
  complete: ReadonlySet<string>,
): MessageContent {
  const calls = toolInvocations.filter(({ toolCallId }) => complete.has(toolCallId))
  return contentOf(
    [content],
    [reasoning],
    calls.map(({ toolCallId, toolName, args, result }) => ({
      id: toolCallId,
      tool: toolName,
      input: args as Json,
      words: wordsOf(result as Json | undefined),
    })),
  )
}

/** The cards of a message, and what its user has said in its midst, in their order. What a call asks is no card. */
export function cardsByFold({ parts }: AssistantMessage, read: (value: Json) => Json): Card[] {
  return parts.flatMap((part) => {
    if (part.type === 'data') return [{ name: part.name, id: part.id, value: read(part.value) }]
    if (part.type !== 'user') return []
    const { messageId, input } = part
    return [{ name: 'user-message', id: messageId, value: { messageId, parts: input } }]
  })
}

export function cardsByChat({ parts }: ChatMessage): Card[] {
  return cardsAmong(parts)
}

/** Each is told anew: the last of an id counts, in the place of the first. */
export function cardsByV4({ annotations = [] }: V4Message): Card[] {
  const cards: Card[] = []
  for (const card of cardsAmong(annotations)) {
    const at = cards.findIndex(
      ({ name, id }) => id !== undefined && `${name}/${id}` === `${card.name}/${card.id}`,
    )
    if (at < 0) cards.push(card)
    else cards[at] = card
  }
  return cards
}

function cardsAmong(all: readonly unknown[]): Card[] {
  return all.flatMap((each) => {
    const { type, id, data } = each as { type?: string; id?: string; data: Json }
    return type?.startsWith('data-') &&
      type !== 'data-question' &&
      !['data-source-document', 'data-file'].includes(type)
      ? [{ name: type.slice('data-'.length), id, value: data }]
      : []
  })
}

/**
 * The questions of calls, by call id. The last of several counts. A client that merges them keeps the approval that
 * came before the request for an output.
 */
export function questionsIn(all: readonly unknown[]): Readonly<Record<string, Json>> {
  const questions = all
    .map((each) => each as { type?: string; id?: string; data: { readonly [field: string]: Json } })
    .filter(({ type }) => type === 'data-question')
  return Object.fromEntries(questions.map(({ id = '', data }) => [id, asLast(data)] as const))
}

function asLast({ answer, ...rest }: { readonly [field: string]: Json }): Json {
  return answer === undefined || rest['kind'] === 'output' ? rest : { ...rest, answer }
}

/** How each call of a message stands. */
export function statesIn({ parts }: ChatMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parts.flatMap((part) => ('toolCallId' in part ? [[part.toolCallId, part.state] as const] : [])),
  )
}

/** A message of which some calls are left out. */
export function without(message: AssistantMessage, calls: ReadonlySet<string>): AssistantMessage {
  return {
    ...message,
    parts: message.parts.filter((part) => part.type !== 'tool' || !calls.has(part.callId)),
  }
}

/** The parts of a message that are not closed. */
export function openIn({ parts }: ChatMessage): unknown[] {
  return parts.filter(
    (part) => 'state' in part && part.state !== 'done' && !part.state?.startsWith('output-'),
  )
}

/** Without the keys for which a client of the AI SDK refuses a stream. */
export function withoutPrototypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  if (!isJsonObject(value)) return value
  const definedEntries = Object.entries(value).filter(
    ([key, held]) => key !== '__proto__' && !(key === 'constructor' && (held === null || hasPrototype(held))),
  )
  return Object.fromEntries(definedEntries.map(([key, held]) => [key, withoutPrototypes(held)]))
}

function hasPrototype(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).includes('prototype')
}

/** The input of a call that AI SDK 4 does not run, without the keys that make it drop half of the input. */
export function v4InputReader(log: readonly LogEntry[]): (input: Json, callId: string) => Json {
  const withheld = new Set<string>()
  for (const { event } of log) {
    if (event.type === 'tool.called' && event.tool === CONFIRMED_TOOL) withheld.add(event.callId)
    if (event.type === 'tool.asked' && event.question.kind === 'output') withheld.delete(event.callId)
  }
  return (input, callId) => asObject(withheld.has(callId) ? withoutPrototypes(input) : input)
}

/** Input that is no object comes in one. */
export function asObject(input: Json): Json {
  return isJsonObject(input) ? input : { input }
}

export function folded(log: readonly LogEntry[]): AssistantMessage {
  return log.reduce((message, { event }) => fold(message, event), emptyMessage('msg_story'))
}

/** How the log ends, if it does. */
export function endOf(log: readonly LogEntry[]): TerminalEvent | undefined {
  const event = log.at(-1)?.event
  return event && isTerminal(event) ? event : undefined
}
