import { toSingleLine } from './to-single-line.ts'

/** Brackets, in the forms that look like those round our own lines. */
const OPENING = /[[［⁅⟦〚]/gu
const CLOSING = /[\]］⁆⟧〛]/gu

/** A stranger's words in a line of ours: on that line, none of them invisible, and without the brackets that mark what we say ourselves. */
export function quoteUntrustedLine(text: string, maxCharacters: number): string {
  return toSingleLine(text, maxCharacters).replaceAll(OPENING, '(').replaceAll(CLOSING, ')')
}
