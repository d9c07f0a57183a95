/** A tool may return a whole file; an answer does not. */
const LONGEST = 8000

/** A text as a block of code, which nothing in the text can end. */
export function fenced(text: string): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()} …` : text
  const longest = Math.max(2, ...Array.from(shown.matchAll(/`{3,}/g), ([marks]) => marks.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}\n${shown}\n${marks}`
}
