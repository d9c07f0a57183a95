import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

type Turn = Exclude<LanguageModelV4Message, { role: 'system' }>

/**
 * Why providers would refuse a prompt: each call needs an outcome in the next message, and each outcome its call in
 * the one before. No message may be empty, and the last one must not be the model's.
 */
export function promptMistake(prompt: LanguageModelV4Prompt): string | undefined {
  const turns = prompt.filter((message): message is Turn => message.role !== 'system')
  const callIds = new Set<string>()
  for (const [index, turn] of turns.entries()) {
    const mistake = turnMistake(turn, turns[index - 1], turns[index + 1]) ?? repeated(turn, callIds)
    if (mistake !== undefined) return `message ${index + 1}, of ${turn.role}, ${mistake}`
  }
  const last = turns.at(-1)
  return last?.role === 'user' || last?.role === 'tool' ? undefined : 'the last message is not for the model'
}

function turnMistake(turn: Turn, before: Turn | undefined, next: Turn | undefined): string | undefined {
  if (turn.content.length === 0) return 'is empty'
  if (turn.content.some((part) => part.type === 'text' && part.text.trim() === '')) return 'has an empty text'
  const calls = callsOf(turn)
  const outcomes = next ? outcomesOf(next) : []
  const open = calls.find((id) => !outcomes.includes(id))
  if (open !== undefined) return `calls ${open}, which has no outcome in the next`
  const earlierCalls = before ? callsOf(before) : []
  const unasked = outcomesOf(turn).find((id) => !earlierCalls.includes(id))
  return unasked === undefined
    ? undefined
    : `has an outcome of ${unasked}, which the one before does not call`
}

function repeated(turn: Turn, callIds: Set<string>): string | undefined {
  for (const id of callsOf(turn)) {
    if (callIds.has(id)) return `calls ${id}, which was called before`
    callIds.add(id)
  }
  return undefined
}

function callsOf(turn: Turn): string[] {
  if (turn.role !== 'assistant') return []
  return turn.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
}

function outcomesOf(turn: Turn): string[] {
  if (turn.role !== 'tool') return []
  return turn.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
}
