import { countOf, haveSameEndings, withLf } from './line-endings.ts'
import { NeedsIsolation } from './needs-isolation.ts'

/** How one text becomes another. */
export type UnifiedDiff = {
  /** Unified. Where no whole line of the change can be shown: the characters around its beginning. */
  readonly diff: string
  readonly added: number
  readonly removed: number
  readonly truncated: boolean
}

/** The limits of one comparison: characters, differing lines, ms, and ms outside of an isolated process. */
const MAX_COMPARE_LENGTH = 1_000_000
const MAX_EDITS = 4000
const MAX_COMPARE_MS = 150
const MAX_SHARED_MS = 20
const CONTEXT = 3
/** What is shown of a diff, in lines and characters. */
const MAX_LINES = 400
const MAX_LENGTH = 20_000
/** What is shown of each text where no whole line can be, and before and after the change, in characters. */
const MAX_EXCERPT_LENGTH = 2000
const EXCERPT_MARGIN = 100

type DiffOptions = {
  readonly isIsolated?: boolean
  /** Lines that end in another way are other lines: their CR is in the diff. */
  readonly showsEndings?: boolean
}

/**
 * Compares two texts by line and ignores line endings, unless they are to be shown. The time is bounded for any texts.
 * @throws NeedsIsolation if it takes longer than the event loop may wait
 */
export async function unifiedDiff(
  before: string,
  after: string,
  names: readonly [string, string],
  { isIsolated = true, showsEndings = false }: DiffOptions = {},
): Promise<UnifiedDiff> {
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import('diff')
  const timeout = isIsolated ? MAX_COMPARE_MS : MAX_SHARED_MS
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS, timeout }
  const isRaw = showsEndings && !haveSameEndings(before, after)
  const { start, old, now } = isRaw
    ? cutCommonLines(before, after)
    : cutCommonLines(withLf(before), withLf(after))
  const isLarge = old.length + now.length > MAX_COMPARE_LENGTH
  const patch = isLarge ? undefined : structuredPatch(...names, old, now, undefined, undefined, options)
  if (!patch && !isIsolated) throw new NeedsIsolation()
  const excerpt = (): string => header(names) + excerptOf(old, now, start)
  if (!patch) return { diff: excerpt(), added: countLines(now), removed: countLines(old), truncated: true }
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + start,
    newStart: hunk.newStart + start,
  }))
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const whole = hunks.length > 0 ? header(names) + formatPatch({ ...patch, hunks }, OMIT_HEADERS) : ''
  const limited = limitDiff(whole)
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    ...(limited.truncated && !hasChange(limited.diff) ? { diff: excerpt(), truncated: true } : limited),
  }
}

/** One hunk of what differs, cut in the middle of lines. `start` lines come before. */
function excerptOf(old: string, now: string, start: number): string {
  const shorter = Math.min(old.length, now.length)
  let same = 0
  while (same < shorter && old.charCodeAt(same) === now.charCodeAt(same)) same += 1
  let rest = 0
  while (
    rest < shorter - same &&
    old.charCodeAt(old.length - 1 - rest) === now.charCodeAt(now.length - 1 - rest)
  )
    rest += 1
  const from = Math.max(lineStart(old, same), same - EXCERPT_MARGIN)
  const isLineStart = from === lineStart(old, same)
  const excerpt = (text: string): readonly string[] => {
    const lineEnd = text.indexOf('\n', text.length - rest)
    const end = Math.min(
      lineEnd === -1 ? text.length : lineEnd,
      text.length - rest + EXCERPT_MARGIN,
      from + MAX_EXCERPT_LENGTH,
    )
    const isWhole = end === text.length || text[end] === '\n'
    const piece = text.slice(from, end)
    if (piece === '') return []
    return `${isLineStart ? '' : '…'}${piece.toWellFormed().replace(/\n$/, '')}${isWhole ? '' : '…'}`.split(
      '\n',
    )
  }
  const [removed, added] = [excerpt(old), excerpt(now)]
  const line = start + countOf(old.slice(0, from), '\n') + 1
  const lines = [...removed.map((each) => `-${each}`), ...added.map((each) => `+${each}`)]
  return [`@@ -${line},${removed.length} +${line},${added.length} @@`, ...lines, ''].join('\n')
}

/** Whether a diff shows more than its header. */
function hasChange(diff: string): boolean {
  return diff
    .split('\n')
    .slice(2)
    .some((line) => /^[+-]/.test(line))
}

/** The library escapes Chinese names in octal. Here only names that would break the line are quoted. */
function header(names: readonly [string, string]): string {
  const [old, now] = names.map((name) =>
    /[\p{Cc}\p{Zl}\p{Zp}"\\]/u.test(name) ? JSON.stringify(name) : name,
  )
  return `--- ${old}\n+++ ${now}\n`
}

/** Cuts the lines that both texts start and end with, except the context. `start` counts those before. */
function cutCommonLines(before: string, after: string): { start: number; old: string; now: string } {
  const shorter = Math.min(before.length, after.length)
  let same = 0
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1
  const firstLine = lineStart(before, same)
  let rest = 0
  while (
    rest < shorter - firstLine &&
    before.charCodeAt(before.length - 1 - rest) === after.charCodeAt(after.length - 1 - rest)
  )
    rest += 1
  let head = firstLine
  for (let lines = 0; lines < CONTEXT && head > 0; lines += 1) head = lineStart(before, head - 1)
  let tail = before.length - rest
  for (let lines = 0; lines <= CONTEXT && tail < before.length; lines += 1)
    tail = before.indexOf('\n', tail) + 1 || before.length
  return {
    start: countOf(before.slice(0, head), '\n'),
    old: before.slice(head, tail),
    now: after.slice(head, after.length - (before.length - tail)),
  }
}

/** Where the line begins in which a place is. */
function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1
}

function limitDiff(text: string): Pick<UnifiedDiff, 'diff' | 'truncated'> {
  const visible = text.split('\n').slice(0, MAX_LINES).join('\n').slice(0, MAX_LENGTH)
  if (visible.length === text.length) return { diff: text, truncated: false }
  return { diff: visible.slice(0, visible.lastIndexOf('\n') + 1), truncated: true }
}

/** The diff of a new file. */
export function diffOfNew(path: string, text: string): UnifiedDiff {
  const added = countLines(text)
  const isLong = text.length > MAX_LENGTH
  const lines = text.slice(0, MAX_LENGTH).replace(/\n$/, '').split('\n')
  const end = isLong || text.endsWith('\n') ? '' : '\\ No newline at end of file\n'
  const hunk = `@@ -0,0 +1,${added} @@\n${lines.map((line) => `+${line}\n`).join('')}${end}`
  const names = ['/dev/null', path] as const
  const { diff, truncated } = limitDiff(header(names) + (added === 0 ? '' : hunk))
  const isEmpty = truncated && !hasChange(diff)
  const visible = isEmpty ? header(names) + excerptOf('', text, 0) : diff
  return { diff: visible, truncated: truncated || isLong, added, removed: 0 }
}

export function countLines(text: string): number {
  return countOf(text, '\n') + (text === '' || text.endsWith('\n') ? 0 : 1)
}

/** Formats the counts and the diff. */
export function formatDiff({ diff, added, removed, truncated }: UnifiedDiff): string {
  const counts = `+${added} −${removed} lines`
  if (diff === '') return counts
  return `${counts}\n${diff}${truncated ? '… [the diff goes on]' : ''}`
}
