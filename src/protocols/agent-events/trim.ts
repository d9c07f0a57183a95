import { estimateTokens, type AssistantPart, type Message } from '../../events/index.ts'

/** Of what a model can take in (usually 128,000 and more), what is left beside the agent's words, the tools and the answer. */
export const MOST_TOKENS = 96_000
/** What an image costs, about, wherever it is. */
const FILE_TOKENS = 1500

/**
 * The newest of a conversation that a model can be told: of at most so many tokens, as they are estimated. It begins with words of the user's, and a
 * call stays with its outcome. Of a turn that is only in part too old, the user's words stay, and the newest steps.
 */
export function trimmed(messages: readonly Message[], most = MOST_TOKENS): Message[] {
  const turns = turnsOf(messages)
  const kept: Message[][] = []
  let left = most
  for (const turn of turns.toReversed()) {
    const tokens = turn.reduce((sum, message) => sum + tokensOf(message), 0)
    if (tokens > left) {
      kept.push(newestOf(turn, left))
      break
    }
    left -= tokens
    kept.push(turn)
  }
  return kept.toReversed().flat()
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

function newestOf([asked, ...answers]: readonly Message[], most: number): Message[] {
  if (!asked) return []
  let left = most - tokensOf(asked)
  if (left < 0) return []
  const kept: Message[] = []
  for (const answer of answers.toReversed()) {
    if (answer.role !== 'assistant') break
    const steps = stepsOf(answer.parts)
    let from = steps.length
    for (; from > 0; from--) {
      const tokens = partsTokens(steps[from - 1] ?? [])
      if (tokens > left) break
      left -= tokens
    }
    if (from < steps.length) kept.push({ ...answer, parts: steps.slice(from).flat() })
    if (from > 0) break
  }
  return [asked, ...kept.toReversed()]
}

function stepsOf(parts: readonly AssistantPart[]): AssistantPart[][] {
  const steps: AssistantPart[][] = []
  for (const part of parts) {
    if (part.type === 'step' || steps.length === 0) steps.push([])
    steps.at(-1)?.push(part)
  }
  return steps
}

export function tokensOf(message: Message): number {
  if (message.role === 'assistant') return partsTokens(message.parts)
  return message.parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : FILE_TOKENS),
    0,
  )
}

function partsTokens(parts: readonly AssistantPart[]): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'text') return sum + estimateTokens(part.text)
    if (part.type !== 'tool') return sum
    const words = [part.tool, JSON.stringify(part.input ?? {}), part.text ?? part.failure?.message ?? '']
    return sum + words.reduce((all, each) => all + estimateTokens(each), 0)
  }, 0)
}
