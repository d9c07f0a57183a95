import { countOf, withLf } from './line-endings.ts'

/** How one text becomes another. */
export type UnifiedDiff = {
  /** Unified; of texts that are too different, empty. */
  readonly diff: string
  readonly added: number
  readonly removed: number
  readonly truncated: boolean
}

/** The limits of one comparison, which blocks the process: characters, differing lines, ms. */
const MAX_COMPARE_LENGTH = 1_000_000
const MAX_EDITS = 4000
const MAX_COMPARE_MS = 150
const CONTEXT = 3
/** What is shown of a diff, in lines and characters. */
const MAX_LINES = 400
const MAX_LENGTH = 20_000

/** Compares two texts by line and ignores line endings. The time is bounded for any texts. */
export async function unifiedDiff(
  before: string,
  after: string,
  names: readonly [string, string],
): Promise<UnifiedDiff> {
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import('diff')
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS, timeout: MAX_COMPARE_MS }
  const { start, old, now } = cutCommonLines(withLf(before), withLf(after))
  const patch =
    old.length + now.length > MAX_COMPARE_LENGTH
      ? undefined
      : structuredPatch(...names, old, now, undefined, undefined, options)
  if (!patch) return { diff: '', added: countLines(now), removed: countLines(old), truncated: true }
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + start,
    newStart: hunk.newStart + start,
  }))
  const lines = hunks.flatMap((hunk) => hunk.lines)
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    ...limitDiff(hunks.length > 0 ? header(names) + formatPatch({ ...patch, hunks }, OMIT_HEADERS) : ''),
  }
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
  const [old, now] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start += 1
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  start = Math.max(0, start - CONTEXT)
  // A final line break is an empty line here.
  end = Math.max(0, end - CONTEXT - 1)
  const cut = (lines: readonly string[]): string =>
    lines.slice(start, lines.length - end).join('\n') + (end > 0 ? '\n' : '')
  return { start, old: cut(old), now: cut(now) }
}

function limitDiff(text: string): Pick<UnifiedDiff, 'diff' | 'truncated'> {
  const visible = text.split('\n').slice(0, MAX_LINES).join('\n').slice(0, MAX_LENGTH)
  if (visible.length === text.length) return { diff: text, truncated: false }
  return { diff: visible.slice(0, visible.lastIndexOf('\n') + 1), truncated: true }
}

export function countLines(text: string): number {
  return countOf(text, '\n') + (text === '' || text.endsWith('\n') ? 0 : 1)
}

/** Formats the counts and the diff. */
export function formatDiff({ diff, added, removed, truncated }: UnifiedDiff): string {
  const counts = `+${added} −${removed} lines`
  if (diff === '') return truncated ? `${counts}; too different to be shown line by line.` : counts
  return `${counts}\n${diff}${truncated ? '… [the diff goes on]' : ''}`
}
