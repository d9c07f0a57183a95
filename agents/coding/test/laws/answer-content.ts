import { contentOf, type MessageContent } from '../../../../test/laws/message-content.ts'
import type { AgentAnswer, EnvelopeAnswer } from '../../src/client/index.ts'

/** Of the answer that our own client makes of agent events. */
export function contentOfAnswer({ text, thinking, tools }: AgentAnswer): MessageContent {
  return contentOf(
    [text],
    [thinking],
    tools.map(({ id, name: tool, input, status, output }) => ({
      id,
      tool,
      input,
      words: status === 'running' ? undefined : output,
    })),
  )
}

/** Of a reader of envelopes. `complete` are the calls whose input had come whole: all, where none are named. */
export function contentOfEnvelopes(
  { messages }: EnvelopeAnswer,
  complete?: ReadonlySet<string>,
): MessageContent {
  const words = new Map<string, string>()
  for (const { type, value } of messages) {
    if (type === 'tool_execution_complete') words.set(value.toolCall.callId, value.result)
    if (type === 'tool_execution_error') words.set(value.toolCall.callId, value.error)
  }
  return contentOf(
    messages.map(({ type, value }) => (type === 'content' ? value : '')),
    messages.map(({ type, value }) => (type === 'thinking' ? value : '')),
    messages.flatMap(({ type, value }) => {
      if (type !== 'tool_call_request' || complete?.has(value.callId) === false) return []
      const { callId: id, name: tool, args: input } = value
      return [{ id, tool, input, words: words.get(id) }]
    }),
  )
}
