import { z } from 'zod'

/** A model writes the values that are checked, so their mistakes are as many as it likes. */
const MAX_ISSUES = 50
/** With the sentence before it, a message has at most 2,000. */
const MAX_CHARACTERS = 1880

type Issues = Parameters<typeof z.prettifyError>[0]['issues']

/** The first mistakes that a schema has found, in at most 1,880 characters, and how many more there are. */
export function describeMistakes(issues: Issues): string {
  const text = z.prettifyError({ issues: issues.slice(0, MAX_ISSUES) })
  const more = issues.length - MAX_ISSUES
  const note = more > 0 ? `\n… and ${more} more mistakes.` : ''
  const room = MAX_CHARACTERS - note.length
  return (text.length > room ? `${text.slice(0, room - 1)}…` : text) + note
}
