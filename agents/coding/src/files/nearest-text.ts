import { normalForm } from 'dragoman/events'
/** What in a text is most like what is not in it. */
export type NearestText = { readonly line: number; readonly text: string; readonly differsIn: string }

/** Ways in which two texts that mean the same may differ. */
const FOLDS: readonly (readonly [string, (line: string) => string])[] = [
  ['the spaces at the ends of lines', (line) => line.trimEnd()],
  ['its spaces and tabs', foldSpaces],
  ['its quotes, dashes or full-width characters', foldPunctuation],
  ['its spaces, quotes or dashes', (line) => foldSpaces(foldPunctuation(line))],
  ['capital and small letters', (line) => foldSpaces(foldPunctuation(line)).toLowerCase()],
]

/** Limits of the excerpt. */
const MAX_LINES = 20
const MAX_LINE_LENGTH = 300
/** Beyond it, in characters, only the plain ways are tried. */
const MAX_COMPARE_LENGTH = 200_000
/** Beyond it nothing is looked for. */
const MAX_LENGTH = 2_000_000
/** From 0 to 1: how like a line must be. */
const MIN_LIKENESS = 0.5

/**
 * Finds text that differs only in spaces, punctuation or case, or else the line that is most similar to the first line.
 */
export function nearestText(text: string, target: string): NearestText | undefined {
  if (text.length + target.length > MAX_LENGTH) return undefined
  const lines = text.split('\n')
  const sought = target.split('\n')
  const isLarge = text.length > MAX_COMPARE_LENGTH
  for (const [differsIn, fold] of isLarge ? FOLDS.slice(0, 2) : FOLDS) {
    const needle = sought.map(fold).join('\n').trim()
    const folded = needle === '' ? '' : lines.map(fold).join('\n')
    const place = folded === '' ? -1 : folded.indexOf(needle)
    if (place === -1) continue
    const line = folded.slice(0, place).split('\n').length
    return { line, text: excerpt(lines, line, needle.split('\n').length), differsIn }
  }
  return isLarge ? undefined : mostSimilar(lines, sought)
}

function foldSpaces(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ')
}

/** NFKC also makes full-width punctuation and no-break spaces the usual ones. */
function foldPunctuation(line: string): string {
  return normalForm(line, 'NFKC')
    .replaceAll(/[\u2018\u2019\u201b`´]/g, "'")
    .replaceAll(/[\u201c-\u201f«»]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll('。', '.')
    .replaceAll('、', ',')
}

function mostSimilar(lines: readonly string[], sought: readonly string[]): NearestText | undefined {
  const first = sought.findIndex((line) => line.trim() !== '')
  const target = pairsOf(sought[first] ?? '')
  const best = lines.reduce(
    (so, line, at) => {
      const alike = likeness(target, pairsOf(line))
      return alike > so.alike ? { alike, at } : so
    },
    { alike: MIN_LIKENESS, at: -1 },
  )
  if (best.at === -1) return undefined
  const start = Math.max(0, best.at - first)
  const text = excerpt(lines, start + 1, sought.length)
  const other = sought.findIndex((line, at) => line !== lines[start + at])
  return { line: start + 1, text, differsIn: `its words from line ${start + Math.max(0, other) + 1} on` }
}

function pairsOf(line: string): ReadonlySet<string> {
  const plain = foldSpaces(line).slice(0, MAX_LINE_LENGTH)
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)))
}

/** The part of two lines' pairs of characters that they have in common. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0
  let both = 0
  for (const pair of one) if (other.has(pair)) both += 1
  return (2 * both) / (one.size + other.size)
}

function excerpt(lines: readonly string[], line: number, count: number): string {
  return lines
    .slice(line - 1, line - 1 + Math.min(count, MAX_LINES))
    .map((each) => (each.length > MAX_LINE_LENGTH ? `${each.slice(0, MAX_LINE_LENGTH)}…` : each))
    .join('\n')
}
