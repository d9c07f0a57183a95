const IS_TEXT = /^(?:text\/|(?:application|image)\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|x-ndjson)$)/
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** A model gets at most so many characters of the words of all files in one request. */
export const MAX_FILE_WORDS: number = 1024 * 1024

/** A compressed document has about so many characters of words for each of its bytes, at most. */
const WORDS_PER_DOCX_BYTE = 4

/** How a model gets the words of such files; undefined for files that have none. */
export function wordFormatOf(mediaType: string): 'text' | 'docx' | undefined {
  if (IS_TEXT.test(mediaType)) return 'text'
  return mediaType === DOCX ? 'docx' : undefined
}

/** The characters that a file's words may take in a prompt, by an estimate from its type and size. */
export function estimateWords({
  mediaType,
  bytes,
}: {
  readonly mediaType: string
  readonly bytes: number
}): number {
  const format = wordFormatOf(mediaType)
  if (format === undefined) return 0
  return Math.min(bytes * (format === 'docx' ? WORDS_PER_DOCX_BYTE : 1), MAX_FILE_WORDS)
}
