/** What a model is told, in the user's role, where its answer was cut off and is to be gone on with. */
export const CUT_OFF_NOTICE =
  'Your answer was cut off at this point: the server was interrupted. Go on from its very last word, in the same language. Repeat nothing of it, and do not speak of the interruption.'

/** What a server tells a model in the user's role beside that, marked as not the user's. */
export function serverNote(text: string): string {
  return `${NOTE_PREFIX}${text}]`
}

const NOTE_PREFIX = '[Note of the server, not of the user: '

export function isServerNote(text: string): boolean {
  return text.startsWith(NOTE_PREFIX)
}

/** The name of the data that stands in a log where a review has found something in an answer: a client may show that it was corrected. */
export const CORRECTION = 'correction'
