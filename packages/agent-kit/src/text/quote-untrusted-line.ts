import { toSingleLine } from './to-single-line.ts'

/** Brackets, in the forms that look like those round our own lines. */
const OPENING = /[[［⁅⟦〚]/gu
const CLOSING = /[\]］⁆⟧〛]/gu

/**
 * Quotes untrusted text within a line of ours: without line breaks, invisible characters, and the brackets that
 * mark our own notes.
 */
export function quoteUntrustedLine(text: string, maxCharacters: number): string {
  return toSingleLine(text, maxCharacters).replaceAll(OPENING, '(').replaceAll(CLOSING, ')')
}
