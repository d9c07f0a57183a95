import { ServiceError } from 'dragoman/errors'
import { formatSize, MAX_TEXT_BYTES } from '../workspace/read-text.ts'
import { countOf, lineEndingOf, withEnding, withLf } from './line-endings.ts'
import { NeedsIsolation } from './needs-isolation.ts'
import { nearestText } from './nearest-text.ts'

/** The number of lines that are listed for several occurrences. */
const MAX_LINES = 10
/** The number of occurrences that are counted where only one is wanted. */
const MAX_PLACES = 100

/** The nearest text is looked for within the event loop in a text of this length. */
const MAX_SHARED_LENGTH = 8192

/** What stands in a text in place of what, in a file of this name. `all`: in every place, and not in the only one. */
export type Replacement = {
  readonly old: string
  readonly replacement: string
  readonly displayPath: string
  readonly all: boolean
}

/**
 * Replaces the only occurrence of `old`, or all of them. Line endings are ignored in the search and kept in the text.
 * @throws ServiceError `invalid-input` with the nearest text or the lines of several occurrences; `NeedsIsolation`
 */
export function replaceText(
  text: string,
  { old, replacement, displayPath, all }: Replacement,
  isIsolated = true,
): string {
  const lf = withLf(text)
  const target = withLf(old)
  const places = all ? findAll(lf, target, target.length) : findAll(lf, target, 1, MAX_PLACES)
  if (places.length === 0) {
    if (lf.length + target.length > MAX_SHARED_LENGTH && !isIsolated) throw new NeedsIsolation()
    throw new ServiceError('invalid-input', notFoundMessage(lf, target, displayPath))
  }
  if (places.length > 1 && !all)
    throw new ServiceError('invalid-input', ambiguousMessage(lf, places, displayPath))
  if (places.length * replacement.length > MAX_TEXT_BYTES)
    throw new ServiceError('too-large', `${displayPath} would have more than ${formatSize(MAX_TEXT_BYTES)}.`)
  const usualEnding = lineEndingOf(text) ?? '\n'
  const toPlace = carriageReturns(text)
  const pieces: string[] = []
  let rest = 0
  for (const place of places) {
    const start = toPlace(place)
    const end = toPlace(place + target.length)
    const ending = lineEndingOf(text.slice(start, end)) ?? usualEnding
    // Where the file's lines end in LF, what is put in is left as it is: it may be meant so.
    pieces.push(text.slice(rest, start), ending === '\n' ? replacement : withEnding(replacement, ending))
    rest = end
  }
  return pieces.join('') + text.slice(rest)
}

function findAll(text: string, target: string, step: number, most = Infinity): number[] {
  const places: number[] = []
  for (let at = text.indexOf(target); at !== -1; at = text.indexOf(target, at + step)) {
    places.push(at)
    if (places.length === most) break
  }
  return places
}

/** Where a place of the text with LF is in the text as it is. Asked for places that never go back. */
function carriageReturns(text: string): (place: number) => number {
  let passed = 0
  let at = text.indexOf('\r\n')
  return (place) => {
    for (; at !== -1 && at - passed < place; at = text.indexOf('\r\n', at + 2)) passed += 1
    return place + passed
  }
}

function ambiguousMessage(text: string, places: readonly number[], displayPath: string): string {
  let [line, passed] = [1, 0]
  const lines = places.slice(0, MAX_LINES).map((place) => {
    line += countOf(text.slice(passed, place), '\n')
    passed = place
    return line
  })
  const times = places.length < MAX_PLACES ? `${places.length}` : `at least ${MAX_PLACES}`
  const more = places.length > MAX_LINES ? ', …' : ''
  return (
    `old_string is in ${displayPath} ${times} times, at lines ${lines.join(', ')}${more}. ` +
    'Add lines around it, so that it is there only once, or set replace_all to true.'
  )
}

function notFoundMessage(text: string, target: string, displayPath: string): string {
  const near = nearestText(text, target)
  if (!near) return `old_string is not in ${displayPath}, nor anything like it. Read the file again.`
  return (
    `old_string is not in ${displayPath}. Nearest is line ${near.line}, which differs in ` +
    `${near.differsIn}. There stands:\n${near.text}`
  )
}
