/** The request to continue an interrupted answer, sent to the model in the user's role. */
export const CUT_OFF_NOTICE =
  'Your answer was cut off at this point: the server was interrupted. Go on from its very last ' +
  'word, in the same language. Repeat nothing of it, and do not speak of the interruption.'

/** Any other note of the server to the model, in the user's role and marked as the server's. */
export function serverNote(text: string): string {
  return `${NOTE_PREFIX}${text}]`
}

const NOTE_PREFIX = '[Note of the server, not of the user: '

export function isServerNote(text: string): boolean {
  return text.startsWith(NOTE_PREFIX)
}

/** The name of the data event for a guardrail's correction. A client may show that the answer was corrected. */
export const CORRECTION = 'correction'
