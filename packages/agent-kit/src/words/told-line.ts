import { oneLine } from './one-line.ts'

/** Brackets, in the forms that look like those round our own lines. */
const OPENING = /[[［⁅⟦〚]/gu
const CLOSING = /[\]］⁆⟧〛]/gu

/** A stranger's words in a line of ours: on that line, none of them invisible, and without the brackets that mark what we say ourselves. */
export function toldLine(text: string, most: number): string {
  return oneLine(text, most).replaceAll(OPENING, '(').replaceAll(CLOSING, ')')
}
