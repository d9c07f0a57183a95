/**
 * Characters that are not seen, or that move the text around them: controls but for line breaks and tabs, formats and
 * directions, separators, fillers, and spaces that are not the usual ones.
 * https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const UNSEEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs} \u3000]/gu

/**
 * A text in which nothing is hidden: each character that is not seen or that turns the direction is written as its
 * escape. Show a person nothing else of what they are to approve.
 *
 * @example
 * visibleText('echo ok \u202e# rm') // 'echo ok \\u202e# rm'
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escapeUnits)
}

/** JSON in which nothing is hidden. It is the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  // JSON has written the line breaks of texts as escapes already.
  return visibleText(JSON.stringify(value, undefined, indent) ?? 'null')
}

function escapeUnits(sign: string): string {
  return Array.from({ length: sign.length }, (_none, index) => escapeUnit(sign.charCodeAt(index))).join('')
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
