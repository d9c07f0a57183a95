import { ServiceError } from '../../../errors.ts'

/** Ways that the braces of a pattern leave, at most; and its characters. */
const MOST_WAYS = 100
const LONGEST = 500

/**
 * Whether a name is as a pattern says: `*` is any text, `?` any character, `{a,b}` one of some. It takes no longer than name times
 * pattern, which no regular expression promises. @throws ServiceError `invalid-input` for a pattern that is too long
 */
export function namePattern(pattern: string): (name: string) => boolean {
  const ways = pattern.length > LONGEST ? [] : unbraced(pattern)
  if (ways.length === 0 || ways.length > MOST_WAYS) {
    throw new ServiceError('invalid-input', 'pattern: is too long, or has too many braces.')
  }
  const all = ways.map((way) => Array.from(way))
  return (name) => all.some((way) => isLike(Array.from(name), way))
}

/** A pattern with braces is as many without. The rest is opened only while they are few. */
function unbraced(pattern: string): string[] {
  const ways = [pattern]
  for (let at = 0; at < ways.length && ways.length <= MOST_WAYS;) {
    const found = /^(.*?)\{([^{}]*)\}(.*)$/su.exec(ways[at] ?? '')
    if (!found) {
      at += 1
      continue
    }
    const [, before = '', choices = '', after = ''] = found
    ways.splice(at, 1, ...choices.split(',').map((choice) => before + choice + after))
  }
  return ways
}

function isLike(name: readonly string[], pattern: readonly string[]): boolean {
  let [at, to] = [0, 0]
  // Where the last star stands, and up to where it reaches.
  let star = -1
  let reached = 0
  while (at < name.length) {
    if (pattern[to] === '*') {
      star = to
      reached = at
      to += 1
    } else if (pattern[to] === '?' || pattern[to] === name[at]) {
      at += 1
      to += 1
    } else if (star !== -1) {
      reached += 1
      at = reached
      to = star + 1
    } else return false
  }
  while (pattern[to] === '*') to += 1
  return to === pattern.length
}
