import { countOf, withLf } from './line-endings.ts'

/** How one text becomes another. */
export type UnifiedDiff = {
  /** Unified; of texts that are too different, empty. */
  readonly diff: string
  readonly added: number
  readonly removed: number
  readonly truncated: boolean
}

/** The limits of one comparison, which blocks the process: differing lines, ms. */
const MAX_EDITS = 4000
const MAX_COMPARE_MS = 150
const CONTEXT = 3
/** What is shown of a diff, in lines and characters. */
const MAX_LINES = 400
const MAX_LENGTH = 20_000

/** The difference of two texts, line by line; how lines end does not count. It takes a bounded time, whatever they are. */
export async function unifiedDiff(
  before: string,
  after: string,
  names: readonly [string, string],
): Promise<UnifiedDiff> {
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import('diff')
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS, timeout: MAX_COMPARE_MS }
  const [old, now] = [withLf(before), withLf(after)]
  const patch = structuredPatch(...names, old, now, undefined, undefined, options)
  if (!patch) return { diff: '', added: countLines(now), removed: countLines(old), truncated: true }
  const { hunks } = patch
  const lines = hunks.flatMap((hunk) => hunk.lines)
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    ...limitDiff(hunks.length > 0 ? header(names) + formatPatch(patch, OMIT_HEADERS) : ''),
  }
}

/** Names stand as they are, Chinese ones too: the library writes them in octal. Those that would not stay on their line are quoted. */
function header(names: readonly [string, string]): string {
  const [old, now] = names.map((name) =>
    /[\p{Cc}\p{Zl}\p{Zp}"\\]/u.test(name) ? JSON.stringify(name) : name,
  )
  return `--- ${old}\n+++ ${now}\n`
}

function limitDiff(text: string): Pick<UnifiedDiff, 'diff' | 'truncated'> {
  const visible = text.split('\n').slice(0, MAX_LINES).join('\n').slice(0, MAX_LENGTH)
  if (visible.length === text.length) return { diff: text, truncated: false }
  return { diff: visible.slice(0, visible.lastIndexOf('\n') + 1), truncated: true }
}

export function countLines(text: string): number {
  return countOf(text, '\n') + (text === '' || text.endsWith('\n') ? 0 : 1)
}

/** As it is told: the counts, and the diff below. */
export function formatDiff({ diff, added, removed, truncated }: UnifiedDiff): string {
  const counts = `+${added} −${removed} lines`
  if (diff === '') return truncated ? `${counts}; too different to be shown line by line.` : counts
  return `${counts}\n${diff}${truncated ? '… [the diff goes on]' : ''}`
}
