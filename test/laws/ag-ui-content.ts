import type { Json } from '../../packages/dragoman/src/index.ts'
import type { MessageContent } from './message-content.ts'

/** A message of AG-UI, as the clients of all versions keep it. */
export type AgUiMessage = {
  readonly id: string
  readonly role: string
  readonly content?: unknown
  readonly toolCallId?: string
  readonly toolCalls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

/** Of a conversation of one question that a client of AG-UI has read. Its texts are one message for each step. */
export function contentOfAgUi(messages: readonly AgUiMessage[]): MessageContent {
  const contentOf = (role: string): string[] =>
    messages.flatMap((each) => (each.role === role && typeof each.content === 'string' ? [each.content] : []))
  const results = new Map(messages.map(({ toolCallId, content }) => [toolCallId, content]))
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls)
  return {
    text: contentOf('assistant').join(''),
    reasoning: contentOf('reasoning').join(''),
    calls: Object.fromEntries(
      calls.map(({ id, function: { name: tool, arguments: input } }) => [
        id,
        { tool, input: JSON.parse(input) as Json, words: results.get(id) as string | undefined },
      ]),
    ),
  }
}

/** The content of one run's events for use-ai: one message, with an empty line between its texts. */
export function contentOfUseAi(events: readonly { readonly [field: string]: unknown }[]): MessageContent {
  const deltas = (type: string, call?: unknown): string =>
    events
      .filter((each) => each['type'] === type && (call === undefined || each['toolCallId'] === call))
      .map(({ delta }) => String(delta))
      .join('')
  const result = (call: unknown) =>
    events.find((each) => each['type'] === 'TOOL_CALL_RESULT' && each['toolCallId'] === call)?.['content']
  const calls = events.filter(({ type }) => type === 'TOOL_CALL_START')
  return {
    text: deltas('TEXT_MESSAGE_CONTENT'),
    reasoning: deltas('REASONING_MESSAGE_CONTENT'),
    calls: Object.fromEntries(
      calls.map(({ toolCallId: id, toolCallName }) => [
        String(id),
        {
          tool: String(toolCallName),
          input: JSON.parse(deltas('TOOL_CALL_ARGS', id)) as Json,
          words: result(id) as string | undefined,
        },
      ]),
    ),
  }
}
