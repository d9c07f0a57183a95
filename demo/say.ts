import assert from 'node:assert/strict'

let isBlankAbove = false

/** Prints a line. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`)
  isBlankAbove = line === ''
}

/** Says what comes next, and why. */
export function announce(title: string, ...about: readonly string[]): void {
  if (!isBlankAbove) say()
  say(`━━ ${title} ${'━'.repeat(Math.max(3, 96 - title.length))}`)
  say()
  for (const line of about) say(line)
  if (about.length > 0) say()
}

/** What is longer ends in `…`. */
export function short(text: string, most: number): string {
  const signs = Array.from(text.replaceAll(/\s+/gu, ' ').trim())
  return signs.length <= most ? signs.join('') : `${signs.slice(0, most - 1).join('')}…`
}

/** Names, parted by commas. */
export function joinNames(names: readonly string[]): string {
  return names.join(', ') || 'none'
}

/** Ends the demonstration with 1, and with this sentence, where something is not as it must be. */
export function check(holds: boolean, sentence: string): void {
  assert.ok(holds, sentence)
}
