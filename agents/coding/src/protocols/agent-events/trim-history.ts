import { estimateTokens, type AssistantPart, type Message, type UserPart } from 'dragoman/events'

/** As much as the largest context windows hold. What a model cannot read of it is left out when it is asked. */
const MAX_TOKENS = 1_000_000
/** What an image costs, about, wherever it is. */
const FILE_TOKENS = 1500

/**
 * The newest of a conversation that a model can be told: of at most so many tokens, as they are estimated. It begins with words of the user's, and a
 * call stays with its outcome. Of a turn that is only in part too old, the user's words stay, and the newest steps.
 */
export function trimHistory(messages: readonly Message[], most = MAX_TOKENS): Message[] {
  const result: Message[][] = []
  let remaining = most
  for (const turn of turnsOf(messages).toReversed()) {
    const tokens = turn.reduce((sum, { parts }) => sum + tokensOf(parts, remaining - sum), 0)
    if (tokens > remaining) {
      result.push(newestOf(turn, remaining))
      break
    }
    remaining -= tokens
    result.push(turn)
  }
  return result.toReversed().flat()
}

/** Each from a message of the user's on. What is before the first is an answer to something that is not told. */
function turnsOf(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push([message])
    else turns.at(-1)?.push(message)
  }
  return turns
}

function newestOf([question, ...answers]: readonly Message[], most: number): Message[] {
  if (!question) return []
  let remaining = most - tokensOf(question.parts, most)
  if (remaining < 0) return []
  const result: Message[] = []
  for (const answer of answers.toReversed()) {
    if (answer.role !== 'assistant') break
    const steps = stepsOf(answer.parts)
    let from = steps.length
    for (; from > 0; from--) {
      const tokens = tokensOf(steps[from - 1] ?? [], remaining)
      if (tokens > remaining) break
      remaining -= tokens
    }
    if (from < steps.length) result.push({ ...answer, parts: steps.slice(from).flat() })
    if (from > 0) break
  }
  return [question, ...result.toReversed()]
}

function stepsOf(parts: readonly AssistantPart[]): AssistantPart[][] {
  const steps: AssistantPart[][] = []
  for (const part of parts) {
    if (part.type === 'step' || steps.length === 0) steps.push([])
    steps.at(-1)?.push(part)
  }
  return steps
}

/** Where they are more than `most`, they are not counted to the end: a body may be of megabytes. */
export function tokensOf(parts: readonly (UserPart | AssistantPart)[], most: number): number {
  let sum = 0
  for (const text of parts.flatMap(textsOf)) {
    const isTooLong = text.length / 4 > most - sum
    sum += isTooLong ? Infinity : estimateTokens(text)
    if (sum > most) return Infinity
  }
  return sum + FILE_TOKENS * parts.filter(({ type }) => type === 'file').length
}

function textsOf(part: UserPart | AssistantPart): string[] {
  if (part.type === 'text') return [part.text]
  if (part.type !== 'tool') return []
  return [part.tool, JSON.stringify(part.input ?? {}), part.text ?? part.failure?.message ?? '']
}
