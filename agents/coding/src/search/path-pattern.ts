import { ServiceError } from 'dragoman/errors'
import { cleanGlob, outsideFolderError } from './glob.ts'

/** Patterns that the braces of one mean, at most. */
const MAX_ALTERNATIVES = 100

/**
 * Compiles a pattern for relative paths: `*`, `?` and `[a-z]` within a name, `**` over folders, `{a,b}` for either. A
 * pattern without a slash matches in any folder, and one that begins with `!` matches all other paths. A match takes at
 * most path times pattern steps, which regular expressions do not promise.
 * @throws ServiceError `invalid-input`, naming the field
 */
export function pathPattern(field: string, glob: string): (path: string) => boolean {
  const cleanedGlob = cleanGlob(field, glob)
  const isNot = cleanedGlob.startsWith('!')
  const pattern = isNot ? cleanedGlob.slice(1) : cleanedGlob
  const ways = waysOf(field, pattern.includes('/') ? pattern : `**/${pattern}`).map((way) =>
    foldersOf(field, way),
  )
  return (path) => {
    const names = path.split('/').map((name) => Array.from(name))
    return ways.some((way) => isLike(names, way, isNamed)) !== isNot
  }
}

/** Stands for any number of what there is: folders, or characters. */
type Any = '*'
type Sign = (character: string) => boolean
type Name = readonly (Sign | Any)[]

/** What is escaped, a set of characters, or one. */
const PIECES = /\\.|\[[!^]?\]?[^\]/]{0,256}\]|./gsu

/** What braces leave open: the choices before this one, and what this one is by now. */
type Open = { readonly before: readonly string[]; readonly ways: readonly string[] }

const START: Open = { before: [], ways: [''] }

/** Each way that the braces of a pattern leave is a pattern without them. */
function waysOf(field: string, glob: string): readonly string[] {
  const around: Open[] = []
  let here = START
  for (const [piece] of glob.matchAll(PIECES)) {
    const { before, ways } = here
    const outer = around.at(-1)
    if (piece === '{') {
      around.push(here)
      here = START
    } else if (piece === ',' && outer) {
      here = { before: [...before, ...ways], ways: [''] }
    } else if (piece === '}' && outer) {
      around.pop()
      const choices = [...before, ...ways]
      here = { ...outer, ways: outer.ways.flatMap((way) => choices.map((choice) => way + choice)) }
    } else here = { before, ways: ways.map((way) => way + piece) }
    if (here.before.length + here.ways.length > MAX_ALTERNATIVES) {
      const sentence = `${field}: its braces mean more than ${MAX_ALTERNATIVES} patterns.`
      throw new ServiceError('invalid-input', sentence)
    }
  }
  if (around.length > 0) throw new ServiceError('invalid-input', `${field}: a brace is not closed.`)
  return here.ways
}

function foldersOf(field: string, way: string): readonly (Name | Any)[] {
  const names = way.split('/')
  if (names.some((name) => isAbove(name))) throw outsideFolderError(field)
  return names.flatMap((name, at): (Name | Any)[] => {
    if (name !== '**') return [nameOf(field, name)]
    // At the end it means all that is in a folder, and not the folder.
    return at === names.length - 1 ? ['*', ['*']] : ['*']
  })
}

/** Also where it is written as `\.\.` or `[.][.]`. */
function isAbove(name: string): boolean {
  return name.replace(/\\(.)/gsu, '$1').replace(/\[\.\]/g, '.') === '..'
}

function nameOf(field: string, name: string): Name {
  return Array.from(name.matchAll(PIECES), ([piece]) => {
    if (piece === '*') return piece
    if (piece === '?') return () => true
    const meant = piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece
    return setOf(field, piece) ?? ((character) => character === meant)
  })
}

function setOf(field: string, piece: string): Sign | undefined {
  const [set, not, within] = /^\[([!^]?)(\]?[^\]]*)\]$/su.exec(piece) ?? []
  if (set === undefined || within === undefined || within === '') return undefined
  try {
    const regex = new RegExp(`^[${not ? '^' : ''}${within.replace(/[\\[\]^]/g, '\\$&')}]$`, 'su')
    return (character) => regex.test(character)
  } catch (cause) {
    throw new ServiceError('invalid-input', `${field}: ${set} is no set of characters.`, { cause })
  }
}

function isNamed(name: readonly string[], pattern: Name): boolean {
  return isLike(name, pattern, (character, sign) => sign(character))
}

/** Matches items against a pattern. Only the last wildcard needs backtracking. */
function isLike<Item extends string | readonly string[], Wanted extends object>(
  items: readonly Item[],
  pattern: readonly (Wanted | Any)[],
  fits: (item: Item, expected: Wanted) => boolean,
): boolean {
  let [at, to] = [0, 0]
  let last: { readonly place: number; reached: number } | undefined
  while (at < items.length) {
    const item = items[at]
    const expected = pattern[to]
    if (expected === '*') {
      last = { place: to, reached: at }
      to += 1
    } else if (item && expected && fits(item, expected)) {
      at += 1
      to += 1
    } else if (last) {
      last.reached += 1
      at = last.reached
      to = last.place + 1
    } else return false
  }
  while (pattern[to] === '*') to += 1
  return to === pattern.length
}
