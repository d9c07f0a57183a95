import { ServiceError } from 'dragoman/errors'
import { lineEndingOf, withEnding, withLf } from './line-endings.ts'
import { nearestText } from './nearest-text.ts'

/** The number of lines that are listed for several occurrences. */
const MAX_LINES = 10

/** What stands in a text in place of what, in a file of this name. */
export type Replacement = { readonly old: string; readonly replacement: string; readonly displayPath: string }

/**
 * Replaces the only occurrence of `old`. Line endings are ignored in the search and kept in the text.
 * @throws ServiceError `invalid-input` with the nearest text or the lines of several occurrences
 */
export function replaceOnce(text: string, { old, replacement, displayPath }: Replacement): string {
  const lf = withLf(text)
  const target = withLf(old)
  const places = findAll(lf, target)
  const [place] = places
  if (place === undefined) throw new ServiceError('invalid-input', notFoundMessage(lf, target, displayPath))
  if (places.length > 1) throw new ServiceError('invalid-input', ambiguousMessage(lf, places, displayPath))
  const start = withCarriageReturns(text, place)
  const end = withCarriageReturns(text, place + target.length)
  const ending = lineEndingOf(text.slice(start, end)) ?? lineEndingOf(text) ?? '\n'
  // Where the file's lines end in LF, what is put in is left as it is: it may be meant so.
  return (
    text.slice(0, start) + (ending === '\n' ? replacement : withEnding(replacement, ending)) + text.slice(end)
  )
}

function findAll(text: string, target: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(target); at !== -1; at = text.indexOf(target, at + 1)) places.push(at)
  return places
}

/** Where a place of the text with LF is in the text as it is. */
function withCarriageReturns(text: string, place: number): number {
  let passed = 0
  for (let at = text.indexOf('\r\n'); at !== -1 && at - passed < place; at = text.indexOf('\r\n', at + 2)) {
    passed += 1
  }
  return place + passed
}

function ambiguousMessage(text: string, places: readonly number[], displayPath: string): string {
  const lines = places.slice(0, MAX_LINES).map((place) => lineOf(text, place))
  const more = places.length > MAX_LINES ? ', …' : ''
  return (
    `old_string is in ${displayPath} ${places.length} times, at lines ${lines.join(', ')}${more}. ` +
    'Add lines around it, so that it is there only once.'
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

function lineOf(text: string, place: number): number {
  return text.slice(0, place).split('\n').length
}
