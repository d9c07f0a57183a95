import { ServiceError } from '../errors.ts'
import { describeJsonError } from '../events/index.ts'

/**
 * Parses a JSON file of the home. Fields whose names begin with `$`, `_` or `//` are comments and are left out.
 * @throws ServiceError `invalid-request` for invalid JSON, and for a field that is there twice: only one would count
 */
export function parseJsonText(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text, (_name, value: unknown) => withoutComments(value))
    const duplicate = findDuplicateField(text)
    if (duplicate === undefined) return parsed
    throw new ServiceError('invalid-request', `${duplicate} is there twice.`)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError('invalid-request', `Invalid JSON${describeJsonError(text)}.`, { cause })
  }
}

function withoutComments(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => name === '__proto__' || !isComment(name)),
  )
}

function isComment(name: string): boolean {
  return /^(?:\$|_|\/\/)/.test(name)
}

/** The path of the first field of valid JSON that an object has twice. */
function findDuplicateField(text: string): string | undefined {
  /** The fields of each open object or list, and the one that is being read. */
  const open: { readonly fields: Set<string>; readonly isObject: boolean; field: string }[] = []
  let isName = false
  // Without an end a string would be looked for again from each later quote.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:]/g)) {
    const inside = open.at(-1)
    if (token === '{' || token === '[') open.push({ fields: new Set(), isObject: token === '{', field: '' })
    if (token === '}' || token === ']') open.pop()
    if (token.startsWith('"') && isName && inside) {
      inside.field = JSON.parse(token) as string
      if (inside.fields.has(inside.field)) {
        const path = open.filter(({ isObject }) => isObject)
        return path.map(({ field }) => field).join('.')
      }
      inside.fields.add(inside.field)
    }
    isName = token === '{' || (token === ',' && open.at(-1)?.isObject === true)
  }
  return undefined
}
