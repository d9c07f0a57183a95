import type { AssistantPart, Message, ClientTurn } from '../events/index.ts'

/** How many turns tell of an answer, and whether they have all its words. */
type Match = { readonly turns: number; readonly isWhole: boolean }

/**
 * The answer of which these turns tell, from the first on, and how many do: a client may have it under names of
 * its own, as one message or one for each step, its last steps alone, or as far as it has read. Of several
 * answers to one message the one told most of, or the latest.
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

/** White space is the client's own affair. */
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

/** How many of the texts follow each other in `whole` from a place on, and where the last of them ends. */
function matchTexts(whole: string, start: number, texts: readonly string[]): { turns: number; end: number } {
  let end = start
  for (const [index, text] of texts.entries()) {
    if (!whole.startsWith(text, end)) return { turns: index, end }
    end += text.length
  }
  return { turns: texts.length, end }
}

/** The words of each step. */
function textOfSteps(parts: readonly AssistantPart[]): string[] {
  const steps: string[] = []
  for (const part of parts) {
    if (part.type === 'step') steps.push('')
    if (part.type === 'text') steps.push((steps.pop() ?? '') + removeWhitespace(part.text))
  }
  return steps
}
