/** What in a text is most like what is not in it. */
export type NearestText = { readonly line: number; readonly text: string; readonly differsIn: string }

/** Ways in which two texts that mean the same may differ. */
const ways: readonly (readonly [string, (line: string) => string])[] = [
  ['the spaces at the ends of lines', (line) => line.trimEnd()],
  ['its spaces and tabs', evenSpaces],
  ['its quotes, dashes or full-width characters', plainPunctuation],
  ['its spaces, quotes or dashes', (line) => evenSpaces(plainPunctuation(line))],
  ['capital and small letters', (line) => evenSpaces(plainPunctuation(line)).toLowerCase()],
]

/** What is told of it, in lines and characters. */
const MAX_LINES = 20
const MAX_LINE_LENGTH = 300
/** Beyond it, in characters, only the plain ways are tried. */
const MAX_COMPARE_LENGTH = 200_000
/** From 0 to 1: how like a line must be. */
const LIKE_ENOUGH = 0.5

/** Finds what differs only in what is easily taken for the same; else the line that is most like the first that is wanted. */
export function nearestText(text: string, wanted: string): NearestText | undefined {
  const lines = text.split('\n')
  const sought = wanted.split('\n')
  const isLarge = text.length > MAX_COMPARE_LENGTH
  for (const [differsIn, fold] of isLarge ? ways.slice(0, 2) : ways) {
    const needle = sought.map(fold).join('\n').trim()
    const folded = needle === '' ? '' : lines.map(fold).join('\n')
    const place = folded === '' ? -1 : folded.indexOf(needle)
    if (place === -1) continue
    const line = folded.slice(0, place).split('\n').length
    return { line, text: excerpt(lines, line, needle.split('\n').length), differsIn }
  }
  return isLarge ? undefined : likest(lines, sought)
}

function evenSpaces(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ')
}

/** NFKC also makes full-width punctuation and no-break spaces the usual ones. */
function plainPunctuation(line: string): string {
  return line
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019\u201b`´]/g, "'")
    .replaceAll(/[\u201c-\u201f«»]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll('。', '.')
    .replaceAll('、', ',')
}

function likest(lines: readonly string[], sought: readonly string[]): NearestText | undefined {
  const first = sought.findIndex((line) => line.trim() !== '')
  const wanted = pairsOf(sought[first] ?? '')
  const best = lines.reduce(
    (so, line, at) => {
      const alike = likeness(wanted, pairsOf(line))
      return alike > so.alike ? { alike, at } : so
    },
    { alike: LIKE_ENOUGH, at: -1 },
  )
  if (best.at === -1) return undefined
  const start = Math.max(0, best.at - first)
  const text = excerpt(lines, start + 1, sought.length)
  const other = sought.findIndex((line, at) => line !== lines[start + at])
  return { line: start + 1, text, differsIn: `its words from line ${start + Math.max(0, other) + 1} on` }
}

function pairsOf(line: string): ReadonlySet<string> {
  const plain = evenSpaces(line).slice(0, MAX_LINE_LENGTH)
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
