import { parseJson, type Json } from 'dragoman/events'
import type { AgUiMessage, AgUiToolCall, Interrupt } from './wire.ts'

type Part = { readonly [field: string]: Json | undefined }
type PageMessage = { readonly id: string; readonly role: 'user' | 'assistant'; readonly parts: Part[] }

/**
 * The messages of a conversation as TanStack AI keeps them: with parts, and results next to their calls. Its page asks
 * for them when it opens.
 */
export function toPageMessages(
  messages: readonly AgUiMessage[],
  interrupts: readonly Interrupt[],
): PageMessage[] {
  const pageMessages: PageMessage[] = []
  const owners = new Map<string, PageMessage>()
  const questions = new Map(interrupts.map((each) => [each.toolCallId, each.id]))
  const results = new Set(messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : [])))
  let thoughts: Part[] = []
  for (const message of messages) {
    if (message.role === 'user')
      pageMessages.push({ id: message.id, role: 'user', parts: userParts(message) })
    if (message.role === 'reasoning') thoughts.push({ type: 'thinking', content: message.content })
    if (message.role === 'tool') {
      const result = { type: 'tool-result', toolCallId: message.toolCallId, content: message.content }
      owners.get(message.toolCallId)?.parts.push({ ...result, state: 'complete' })
    }
    if (message.role !== 'assistant') continue
    const { id, content = '', toolCalls = [] } = message
    const texts = content === '' ? [] : [{ type: 'text', content }]
    const calls = toolCalls.map((call) => toCall(call, results.has(call.id), questions.get(call.id)))
    const answer: PageMessage = { id, role: 'assistant', parts: [...thoughts, ...texts, ...calls] }
    thoughts = []
    pageMessages.push(answer)
    for (const call of toolCalls) owners.set(call.id, answer)
  }
  return pageMessages
}

function userParts({ content }: Extract<AgUiMessage, { role: 'user' }>): Part[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return parts.map((part) => (part.type === 'text' ? { type: 'text', content: part.text } : part))
}

/** `question`: the id of the approval that the call waits for. */
function toCall(
  { id, function: { name, arguments: input } }: AgUiToolCall,
  hasResult: boolean,
  question: string | undefined,
): Part {
  const call = { type: 'tool-call', id, name, arguments: input, input: parseJson(input) }
  if (hasResult) return { ...call, state: 'complete' }
  if (question === undefined) return { ...call, state: 'input-complete' }
  return { ...call, state: 'approval-requested', approval: { id: question, needsApproval: true } }
}
