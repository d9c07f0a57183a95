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

/** Characters of a JSON text that a terminal acts on or does not show. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u007F-\u009F]/gu

/** JSON for a terminal: the same value, with invisible characters written as escapes. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(INVISIBLE, (sign) =>
    Array.from({ length: sign.length }, (_none, index) => escapeUnit(sign.charCodeAt(index))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
