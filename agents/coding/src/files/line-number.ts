import { z } from 'zod'

const words = 'must be a whole number, from 1'
const number = z.int(words).min(0, words)

/**
 * A number of a line or of lines, as models write it: also as a text. Nothing, as 0, "" or null, is the default.
 */
export const lineNumber = z
  .preprocess(fromText, number.optional())
  .transform((value) => value || undefined)
  .optional()

function fromText(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'string') return value
  if (value.trim() === '') return undefined
  return /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
}
