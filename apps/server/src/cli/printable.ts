/** Control characters but for line breaks and tabs, and those that reorder the text around them. */
const UNSAFE = /[^\P{Cc}\n\t]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * Text of others for a terminal: it cannot move the cursor, change colors, or make an approval look like another one.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, '')
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ')).trim()
}
