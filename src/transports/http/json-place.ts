const SPACE = /[\t\n\r ]*/y
const TOKEN =
  /[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** What may come next, and in what we are: `{` before a key or the end, `[` before a value or the end. */
type State = {
  readonly open: readonly ('{' | '[')[]
  readonly next: 'value' | 'key' | 'colon' | 'comma' | 'first' | 'end'
}

/** Where a text stops being JSON (RFC 8259), as an offset. V8's own error names no place in most cases. */
export function jsonErrorOffset(text: string): number {
  let state: State = { open: [], next: 'value' }
  for (let at = 0; ;) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    const start = SPACE.lastIndex
    TOKEN.lastIndex = start
    const token = TOKEN.exec(text)?.[0]
    const after: State | undefined = token === undefined ? undefined : step(state, token)
    if (!after) return start
    state = after
    at = start + (token?.length ?? 0)
  }
}

function step({ open, next }: State, token: string): State | undefined {
  const inside = open.at(-1)
  const closes = (token === '}' && inside === '{') || (token === ']' && inside === '[')
  if (closes) return next === 'comma' || next === 'first' ? closed(open) : undefined
  switch (next) {
    case 'first':
      return step({ open, next: inside === '{' ? 'key' : 'value' }, token)
    case 'key':
      return token.startsWith('"') ? { open, next: 'colon' } : undefined
    case 'colon':
      return token === ':' ? { open, next: 'value' } : undefined
    case 'comma':
      return token === ',' ? { open, next: inside === '{' ? 'key' : 'value' } : undefined
    case 'value':
      if (token === '{' || token === '[') return { open: [...open, token], next: 'first' }
      return /^[\]},:]/.test(token) ? undefined : { open, next: open.length > 0 ? 'comma' : 'end' }
    case 'end':
      return undefined
  }
}

function closed(open: State['open']): State {
  const rest = open.slice(0, -1)
  return { open: rest, next: rest.length > 0 ? 'comma' : 'end' }
}
