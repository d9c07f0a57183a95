import type { AssistantPart, Message, ClientTurn } from '../events/index.ts'

/** The number of turns that belong to an answer, and whether they contain its whole text. */
type Match = { readonly turns: number; readonly isWhole: boolean }

/**
 * Finds the answer that the first turns belong to, and their number. A client may store an answer under its own
 * ids, as one message, as one for each step, without the first steps, or cut off. Of several answers, the longest
 * match wins, or the latest complete one.
 */
export function matchClientHistory<Answer extends { readonly message: Message }>(
  answers: readonly Answer[],
  turns: readonly ClientTurn[],
): { readonly answer: Answer; readonly turns: number } | undefined {
  const other = turns.findIndex(({ role }) => role !== 'assistant')
  const texts = turns.slice(0, other < 0 ? turns.length : other).map(({ text }) => removeWhitespace(text))
  const matches = answers
    .map((answer) => ({ answer, ...matchAnswer(answer.message, texts) }))
    .filter((each) => each.turns > 0)
  return matches.findLast(({ isWhole }) => isWhole) ?? matches.toSorted((a, b) => a.turns - b.turns).at(-1)
}

/** Removes white space, which clients change. */
export function removeWhitespace(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

function matchAnswer(answer: Message, texts: readonly string[]): Match {
  if (answer.role === 'user') return { turns: 0, isWhole: false }
  const steps = textOfSteps(answer.parts)
  const whole = steps.join('')
  let start = 0
  let most: Match = { turns: 0, isWhole: false }
  for (const step of ['', ...steps]) {
    start += step.length
    const { turns, end } = matchTexts(whole, start, texts)
    if (turns > most.turns) most = { turns, isWhole: start === 0 && end === whole.length }
  }
  return most
}

/** The number of texts that follow each other in `whole` from `start`, and where the last one ends. */
function matchTexts(whole: string, start: number, texts: readonly string[]): { turns: number; end: number } {
  let end = start
  for (const [index, text] of texts.entries()) {
    if (!whole.startsWith(text, end)) return { turns: index, end }
    end += text.length
  }
  return { turns: texts.length, end }
}

/** The text of each step. */
function textOfSteps(parts: readonly AssistantPart[]): string[] {
  const steps: string[] = []
  for (const part of parts) {
    if (part.type === 'step') steps.push('')
    if (part.type === 'text') steps.push((steps.pop() ?? '') + removeWhitespace(part.text))
  }
  return steps
}
