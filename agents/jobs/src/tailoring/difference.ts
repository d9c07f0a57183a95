import { diffLines, diffWordsWithSpace } from 'diff'

import { linesOf } from './resume-lines.ts'
import type { Difference, DifferenceLine, Piece } from './difference-shape.ts'

/** Beyond so many steps, in ms, two texts have too little in common to be compared further. */
const WITHIN_MS = 2000
/** Lines, and parts of lines, that are told: each takes more than its text, and a text may have one for each sign. */
const MAX_PARTS = 10_000

/** Chinese is cut into words, too. */
const intlSegmenter = new Intl.Segmenter('zh', { granularity: 'word' })

export function differenceOf(before: string, after: string): Difference {
  const whole = [
    { value: ended(before), removed: true, added: false },
    { value: ended(after), removed: false, added: true },
  ]
  const parts = diffLines(ended(before), ended(after), { timeout: WITHIN_MS }) ?? whole
  const lines = inPairs(parts.flatMap(({ value, added, removed }) => linesWith(value, opOf(added, removed))))
  return {
    added: lines.filter((line) => line.op === 'added').length,
    removed: lines.filter((line) => line.op === 'removed').length,
    sections: headingsOver(lines),
    ...bounded(lines),
  }
}

function bounded(lines: readonly DifferenceLine[]): Pick<Difference, 'lines' | 'omitted'> {
  let parts = 0
  const fits = (words: readonly Piece[] = []): boolean => (parts += words.length) <= MAX_PARTS
  const first = lines
    .slice(0, MAX_PARTS)
    .map((line) => (fits(line.words) ? line : { op: line.op, text: line.text }))
  return { lines: first, ...(lines.length > first.length && { omitted: lines.length - first.length }) }
}

/** Windows' line ends and a missing last one make no difference. */
function ended(text: string): string {
  return `${text.replaceAll('\r\n', '\n').trimEnd()}\n`
}

function opOf(added: boolean, removed: boolean): DifferenceLine['op'] {
  if (added) return 'added'
  return removed ? 'removed' : 'same'
}

function linesWith(value: string, opOfAll: DifferenceLine['op']): readonly DifferenceLine[] {
  return value
    .replace(/\n$/u, '')
    .split('\n')
    .map((text) => ({ op: opOfAll, text }))
}

/** Lines that took each other's place are compared by their words: the first with the first. */
function inPairs(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const done: DifferenceLine[] = []
  for (let at = 0; at < lines.length;) {
    const removed = run(lines, at, 'removed')
    const added = run(lines, at + removed.length, 'added')
    const pairs = removed.map(({ text }, nth) => pairOf(text, added[nth]?.text))
    done.push(...removed.map((line, nth) => withWords(line, pairs[nth], 'added')))
    done.push(...added.map((line, nth) => withWords(line, pairs[nth], 'removed')))
    at += removed.length + added.length
    const next = lines[at]
    if (next?.op === 'same') {
      done.push(next)
      at += 1
    }
  }
  return done
}

function run(
  lines: readonly DifferenceLine[],
  from: number,
  op: DifferenceLine['op'],
): readonly DifferenceLine[] {
  let end = from
  while (lines[end]?.op === op) end += 1
  return lines.slice(from, end)
}

/** Lines that share nothing are no pair. */
function pairOf(before: string, after: string | undefined): readonly Piece[] | undefined {
  if (after === undefined) return undefined
  const parts = diffWordsWithSpace(before, after, { timeout: WITHIN_MS / 10, intlSegmenter }) ?? []
  const pieces = parts.map(({ value, added, removed }) => ({ op: opOf(added, removed), text: value }))
  return pieces.some((each) => each.op === 'same' && /[\p{L}\p{N}]/u.test(each.text)) ? pieces : undefined
}

function withWords(
  line: DifferenceLine,
  pieces: readonly Piece[] | undefined,
  other: DifferenceLine['op'],
): DifferenceLine {
  return pieces ? { ...line, words: pieces.filter((each) => each.op !== other) } : line
}

function headingsOver(lines: readonly DifferenceLine[]): readonly string[] {
  const over = new Set<string>()
  let heading: string | undefined
  for (const line of lines) {
    const [own] = /^\s*(?:#{1,2}\s|\*\*|[^\s\p{Ll}])/u.test(line.text) ? linesOf(line.text) : []
    if (own?.role === 'section') heading = own.text
    if (line.op !== 'same' && heading !== undefined && line.text.trim() !== '') over.add(heading)
  }
  return [...over]
}
