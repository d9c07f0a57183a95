import { createHash } from 'node:crypto'

import type { LanguageModelV4Message } from '@ai-sdk/provider'

const ID_LENGTH = 9

/** The ids of calls, which may be of another provider, as ones that every provider takes. */
export function withShortIds(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'assistant' && message.role !== 'tool') return message
  const content = message.content.map((part) =>
    'toolCallId' in part && part.toolCallId.length !== ID_LENGTH
      ? { ...part, toolCallId: shortId(part.toolCallId) }
      : part,
  )
  return { ...message, content } as LanguageModelV4Message
}

function shortId(id: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`).toString(36)
  return digits.slice(0, ID_LENGTH)
}

/** Some templates of models know no system: the instructions stand before the first words of the user. */
export function instructUser(prompt: LanguageModelV4Message[]): LanguageModelV4Message[] {
  const text = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n')
  const others = prompt.filter(({ role }) => role !== 'system')
  const [first, ...rest] = others
  if (text === '' || first?.role !== 'user') return prompt
  return [{ ...first, content: [{ type: 'text', text }, ...first.content] }, ...rest]
}

/** An answer that no model has given. */
export const FILLER = 'I see.'
const ANSWER: LanguageModelV4Message = { role: 'assistant', content: [{ type: 'text', text: FILLER }] }

/** Mistral’s templates let no user speak after a tool: the model answers in between. */
export function answerOutcomes(prompt: LanguageModelV4Message[]): LanguageModelV4Message[] {
  const answered = prompt.flatMap((message, index) =>
    message.role === 'user' && prompt[index - 1]?.role === 'tool' ? [ANSWER, message] : [message],
  )
  return answered.length === prompt.length ? prompt : answered
}

/** Llama’s templates take one call in an answer: each is an answer of its own, before its outcome. */
export function separateCalls(prompt: LanguageModelV4Message[]): LanguageModelV4Message[] {
  const separated = prompt.flatMap((message, index) => {
    const before = prompt[index - 1]
    if (message.role === 'tool' && before && callsOf(before) > 1) return []
    const after = prompt[index + 1]
    return message.role === 'assistant' && callsOf(message) > 1 ? withOutcomes(message, after) : [message]
  })
  return separated.length === prompt.length ? prompt : separated
}

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>

function callsOf(message: LanguageModelV4Message): number {
  return message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool-call').length : 0
}

function withOutcomes(
  { content, ...message }: Assistant,
  outcomes: LanguageModelV4Message | undefined,
): LanguageModelV4Message[] {
  const results = outcomes?.role === 'tool' ? outcomes.content : []
  const last = content.findLastIndex(({ type }) => type === 'tool-call')
  let start = 0
  return content.flatMap((part, index): LanguageModelV4Message[] => {
    if (part.type !== 'tool-call') return []
    const words = content.slice(start, index === last ? undefined : index + 1)
    start = index + 1
    const result = results.filter((each) => 'toolCallId' in each && each.toolCallId === part.toolCallId)
    return [
      { ...message, content: words },
      { role: 'tool', content: result },
    ]
  })
}
