import { decodeSearchText } from './read-search-text.ts'
import { MAX_LINE_LENGTH, type Hit } from './searcher.ts'

type MatchRequest = { readonly bytes: Uint8Array; readonly hits: readonly Hit[] }

/** Keeps the lines that are in a file with these bytes. */
export function keepMatching({ bytes, hits }: MatchRequest): readonly Hit[] {
  const text = decodeSearchText(bytes)
  if (text === undefined) return []
  let [line, at] = [1, 0]
  return hits
    .toSorted((one, other) => one.line - other.line)
    .filter((hit) => {
      for (; line < hit.line && at !== -1; line += 1) at = text.indexOf('\n', at) + 1 || -1
      if (at === -1) return false
      const end = text.indexOf('\n', at)
      const found = text.slice(at, end === -1 ? undefined : end).replace(/\r$/, '')
      return found.slice(0, MAX_LINE_LENGTH) === hit.text
    })
}
