/** In a longer text the error is not looked for: it would take longer than to parse the text. */
const MAX_CHARACTERS = 1_000_000
const SPACE = /[\t\n\r ]*/y
type Next = 'value' | 'key' | 'colon' | 'comma' | 'first' | 'end'

/** The offset at which a text stops being JSON (RFC 8259). V8's own error does not contain it in most cases. */
export function jsonErrorOffset(text: string): number {
  const open: string[] = []
  const token = tokenPattern()
  let next: Next | undefined = 'value'
  for (let at = 0; ; at = token.lastIndex) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    const start = SPACE.lastIndex
    token.lastIndex = start
    const [found] = token.exec(text) ?? []
    next = found === undefined ? undefined : step(open, next, found)
    if (!next) return start
  }
}

/** In a function, so that a page that does not use it does not load it. */
function tokenPattern(): RegExp {
  const string = String.raw`"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`
  const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`
  return new RegExp(String.raw`[{}[\],:]|${string}|${number}|true|false|null`, 'y')
}

/**
 * The kind of token that may follow, or undefined if the token is not allowed. Changes `open`, because bodies
 * may be nested deeply.
 */
function step(open: string[], next: Next, token: string): Next | undefined {
  const inside = open.at(-1)
  if ((token === '}' && inside === '{') || (token === ']' && inside === '[')) {
    if (next !== 'comma' && next !== 'first') return undefined
    open.pop()
    return afterValue(open)
  }
  switch (next) {
    case 'first':
      return step(open, inside === '{' ? 'key' : 'value', token)
    case 'key':
      return token.startsWith('"') ? 'colon' : undefined
    case 'colon':
      return token === ':' ? 'value' : undefined
    case 'comma':
      if (token !== ',') return undefined
      return inside === '{' ? 'key' : 'value'
    case 'value':
      if (/^[\]},:]/.test(token)) return undefined
      if (token !== '{' && token !== '[') return afterValue(open)
      open.push(token)
      return 'first'
    case 'end':
      return undefined
  }
}

function afterValue(open: readonly string[]): Next {
  return open.length > 0 ? 'comma' : 'end'
}

/**
 * Describes the position of a JSON error, if it is known, as a continuation of "Invalid JSON". People count lines,
 * not offsets.
 */
export function describeJsonError(text: string): string {
  if (text.trim() === '') return ': the body is empty'
  const offset = errorOffset(text)
  if (offset === undefined) return ''
  if (offset >= text.length) return ': it ends too early'
  const before = text.slice(0, offset).split('\n')
  return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** A text with very many escapes overflows the regular expression. Then the position is unknown. */
function errorOffset(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  try {
    return jsonErrorOffset(text)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
