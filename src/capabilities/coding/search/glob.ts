import { ServiceError } from '../../../errors.ts'

/** How files are named by patterns: as .gitignore and most shells do it, so that one without a slash means any folder. */

const MOST_GLOB = 500
/** What a pattern leaves open must be tried in all ways, on each name: nobody means more. */
const MOST_BRACES = 10
const MOST_STARS = 4

/**
 * What a pattern says of a path relative to the folder that is searched: `*`, `?` and `[a-z]` within a name, `**` over folders, `{a,b}` for
 * either. One that begins with `!` means all others. @throws ServiceError `invalid-input`, naming the field
 */
export function globRegExp(field: string, glob: string): RegExp {
  const wanted = cleanGlob(field, glob)
  const isNot = wanted.startsWith('!')
  const pattern = anywhere(isNot ? wanted.slice(1) : wanted).replace(/(?:\*\*\/){2,}/g, '**/')
  if (pattern.split('/').some((name) => stars(name) > MOST_STARS) || pattern.split('**').length > MOST_STARS)
    throw new ServiceError('invalid-input', `${field} may hold at most ${MOST_STARS} stars in a name.`)
  const source = sourceOf(field, pattern)
  try {
    return new RegExp(isNot ? `^(?!${source}$)` : `^${source}$`, 'su')
  } catch (cause) {
    throw new ServiceError('invalid-input', `${field}: ${glob} is no pattern for names.`, { cause })
  }
}

/** Without what says nothing. @throws ServiceError `invalid-input` for one that would lead out of the folder */
export function cleanGlob(field: string, glob: string): string {
  const given = glob.trim().replace(/^(!?)(?:\.\/)+/, '$1')
  if (given === '' || given === '!') throw new ServiceError('invalid-input', `${field} must not be empty.`)
  if (given.length > MOST_GLOB)
    throw new ServiceError('invalid-input', `${field} may have at most ${MOST_GLOB} characters.`)
  if (/[\0\n]/.test(given))
    throw new ServiceError('invalid-input', `${field} holds no NUL and no line break.`)
  if (/^!?(?:\/|~|file:|[a-z]:[\\/])/i.test(given) || leadsUp(given)) {
    throw new ServiceError(
      'invalid-input',
      `${field} must stay below the folder that is searched: it cannot be absolute or contain "..". Name another folder by path.`,
    )
  }
  return given.endsWith('/') ? `${given}**` : given
}

/** Also where braces or classes write it: `{..,a}/b`, `.{.,x}/b`, `[.][.]/b`. A name may hold dots, as `a..b` does. */
function leadsUp(glob: string): boolean {
  const plain = glob.replace(/\\(.)/gu, '$1').replace(/\[\.\]/g, '.')
  return /(?:^|[/{,!])\.\.(?:[/},]|$)/.test(plain) || /\.\{[^}]*\.|[{,]\.\}?\./.test(plain)
}

function anywhere(glob: string): string {
  return glob.includes('/') ? glob : `**/${glob}`
}

/** The folder that a pattern names plainly, before all that it leaves open: nothing else needs to be looked through. */
export function plainFolder(glob: string): string {
  const names = glob.split('/')
  const open = names.findIndex((name) => /[*?[\]{}\\!]/.test(name))
  return names.slice(0, open === -1 ? -1 : open).join('/')
}

/** What a pattern asks of a file's own name, where that can be told apart. */
export function lastName(glob: string): string | undefined {
  const last = glob.slice(glob.lastIndexOf('/') + 1)
  const isPlain = /^[\p{L}\p{N}_.*?-]+(?:\{[\p{L}\p{N}_.,-]+\})?[\p{L}\p{N}_.-]*$/u.test(last)
  return isPlain && !last.includes('**') ? last : undefined
}

function stars(name: string): number {
  return name.match(/\*+/g)?.length ?? 0
}

function sourceOf(field: string, glob: string): string {
  let source = ''
  let open = 0
  let braces = 0
  for (let at = 0; at < glob.length;) {
    const [piece, taken] = pieceAt(glob, at, open > 0)
    if (piece === '(?:') [open, braces] = [open + 1, braces + 1]
    if (piece === ')') open -= 1
    source += piece
    at += taken
  }
  if (open > 0) throw new ServiceError('invalid-input', `${field}: a brace is not closed.`)
  if (braces > MOST_BRACES)
    throw new ServiceError('invalid-input', `${field} may hold at most ${MOST_BRACES} pairs of braces.`)
  return source
}

/** What the piece of a pattern at a place is as a regular expression, and how long it is. */
function pieceAt(glob: string, at: number, inBraces: boolean): readonly [string, number] {
  const rest = glob.slice(at)
  const isFirst = at === 0 || '/{,'.includes(glob.charAt(at - 1))
  const folders = isFirst ? (/^\*\*(\/|$|(?=[,}]))/.exec(rest) ?? undefined) : undefined
  if (folders) return folders[1] === '/' ? ['(?:[^/]+/)*', 3] : ['.*', 2]
  const run = /^\*+/.exec(rest)?.[0]
  if (run !== undefined) return ['[^/]*', run.length]
  const [set, not, within] = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(rest) ?? []
  if (set !== undefined && within !== undefined)
    return [`(?!/)[${not ? '^' : ''}${within.replace(/[\\[\]^]/g, '\\$&')}]`, set.length]
  if (rest.startsWith('\\') && rest.length > 1) {
    const escaped = String.fromCodePoint(rest.codePointAt(1) ?? 0)
    return [literal(escaped), 1 + escaped.length]
  }
  if (rest.startsWith('{')) return ['(?:', 1]
  if (inBraces && rest.startsWith('}')) return [')', 1]
  if (inBraces && rest.startsWith(',')) return ['|', 1]
  if (rest.startsWith('?')) return ['[^/]', 1]
  const own = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  return [literal(own), own.length]
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
