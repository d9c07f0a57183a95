/**
 * A regular expression as ripgrep reads it, for JavaScript: what is a word, a digit and a space goes by Unicode, so that \b stands beside
 * Chinese too; flags may stand in it; a brace that counts nothing is a brace.
 */
export function javascriptRegExp(pattern: string): RegExp {
  let source = ''
  /** For each open group, how many were opened in its place. */
  const groups: number[] = [0]
  for (let at = 0; at < pattern.length;) {
    const { piece, taken, opens = 0, closes = false } = pieceAt(pattern, at)
    if (closes && groups.length > 1) source += ')'.repeat(groups.pop() ?? 0)
    source += piece
    if (opens === 1) groups.push(0)
    if (opens === 2) groups.push((groups.pop() ?? 0) + 1)
    at += taken
  }
  return new RegExp(source + ')'.repeat(groups.length === 1 ? (groups[0] ?? 0) : 0), 'v')
}

/** `opens`: 1 a group, 2 one that ends with that in which it stands. */
type Piece = {
  readonly piece: string
  readonly taken: number
  readonly opens?: 1 | 2
  readonly closes?: true
}

const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`
const CLASSES: Readonly<Record<string, string>> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
  h: String.raw`[\t\p{Zs}]`,
}
const BEGINS = `(?<![${WORD}])(?=[${WORD}])`
const ENDS = `(?<=[${WORD}])(?![${WORD}])`
const PLACES: Readonly<Record<string, string>> = {
  b: `(?:${BEGINS}|${ENDS})`,
  B: `(?!${BEGINS}|${ENDS})`,
  '<': BEGINS,
  '>': ENDS,
  A: '^',
  z: '$',
}
const POSIX: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: '0-9A-Za-z',
  upper: 'A-Z',
  lower: 'a-z',
  space: String.raw`\s`,
  blank: String.raw`\t `,
  punct: String.raw`!-\/:-@\[-\`\{-~`,
  xdigit: '0-9A-Fa-f',
  word: 'A-Za-z0-9_',
}

function pieceAt(pattern: string, at: number): Piece {
  const rest = pattern.slice(at)
  if (rest.startsWith('\\')) return escapeOf(rest, PLACES)
  if (rest.startsWith('[')) return classOf(rest)
  const flags = /^\(\?([ims]*(?:-[ims]+)?)\)/.exec(rest)
  if (flags) return { piece: `(?${flags[1] ?? ''}:`, taken: flags[0].length, opens: 2 }
  if (rest.startsWith('(?P<')) return { piece: '(?<', taken: 4, opens: 1 }
  if (rest.startsWith('(')) return { piece: '(', taken: 1, opens: 1 }
  if (rest.startsWith(')')) return { piece: ')', taken: 1, closes: true }
  const count = /^\{(\d*)(,?)(\d*)\}/.exec(rest)
  if (count && /\d/.test(count[0])) {
    const [all, least = '', comma = '', most = ''] = count
    return { piece: `{${least || 0}${comma}${most}}`, taken: all.length }
  }
  if ('{}]'.includes(rest.charAt(0))) return { piece: `\\${rest.charAt(0)}`, taken: 1 }
  const one = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  return { piece: one, taken: one.length }
}

/** What is escaped: a class, a place, a character by its number, or one that is meant as it is. */
function escapeOf(rest: string, places: Readonly<Record<string, string>>): Piece {
  const number = /^\\x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(rest)
  if (number) return { piece: `\\u{${number[1] ?? number[2] ?? ''}}`, taken: number[0].length }
  const property = /^\\([pP])(?:\{(\^?)([\w=:. -]+)\}|([A-Za-z]))/.exec(rest)
  if (property) {
    const [all, p = 'p', not, name, letter = ''] = property
    const isNot = (p === 'P') !== (not === '^')
    return { piece: `\\${isNot ? 'P' : 'p'}{${propertyName(name ?? letter)}}`, taken: all.length }
  }
  const name = rest.charAt(1)
  const meant = CLASSES[name] ?? places[name]
  if (meant !== undefined) return { piece: meant, taken: 2 }
  const isSign = /^[\p{P}\p{S} ]$/u.test(name) && name.charCodeAt(0) < 128
  return { piece: isSign ? sign(name) : rest.slice(0, 2), taken: Math.min(2, rest.length) }
}

/** Scripts may be named without saying that they are scripts. */
function propertyName(name: string): string {
  const literal = name.replace(/:/, '=')
  return isProperty(literal) ? literal : `Script=${literal}`
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'v').unicodeSets
  } catch {
    return false
  }
}

function sign(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`
}

/** A set of characters, sets within it included. */
function classOf(rest: string): Piece {
  const begin = /^\[\^?/.exec(rest)?.[0] ?? '['
  let source = begin
  let at = begin.length
  for (;;) {
    const next = rest.charAt(at)
    if (next === '' || (next === ']' && at > begin.length)) break
    const { piece, taken } = memberOf(rest.slice(at), at === begin.length)
    source += piece
    at += taken
  }
  return { piece: source + rest.charAt(at), taken: at + 1 }
}

function memberOf(rest: string, isFirst: boolean): Piece {
  if (rest.startsWith('\\')) return escapeOf(rest, {})
  const posix = /^\[:(\^?)(\w+):\]/.exec(rest)
  const named = POSIX[posix?.[2] ?? '']
  if (posix && named !== undefined) return { piece: `[${posix[1] ?? ''}${named}]`, taken: posix[0].length }
  if (rest.startsWith('[')) return classOf(rest)
  if (rest.startsWith('&&')) return { piece: '&&', taken: 2 }
  if (rest.startsWith('-') && !isFirst && !rest.startsWith('-]')) return { piece: '-', taken: 1 }
  const one = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  return { piece: /^[!-/:-@[-`{-~]$/.test(one) ? sign(one) : one, taken: one.length }
}
