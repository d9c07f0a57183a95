import { canonicalJson, isJsonObject, type Json } from './json.ts'

/** One change of a JSON value, by the place that a JSON pointer names. https://www.rfc-editor.org/rfc/rfc6902 */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/**
 * Applies all operations of a patch, or none. Does not change `state`. `onCopy` gets the value after each
 * `copy`, because a few copies can make a value of any size.
 * @throws RangeError that names the operation that is invalid, or a `test` that fails
 */
export function applyJsonPatch(
  state: Json,
  patch: readonly PatchOperation[],
  onCopy?: (value: Json) => void,
): Json {
  return patch.reduce((value, operation, index) => {
    const next = applyNumbered(index, value, operation)
    if (operation.op === 'copy') onCopy?.(next)
    return next
  }, state)
}

/** Applies a patch, or returns the value unchanged if the patch is invalid. */
export function applyJsonPatchIfValid(state: Json, patch: readonly PatchOperation[]): Json {
  try {
    return applyJsonPatch(state, patch)
  } catch (error) {
    if (error instanceof RangeError) return state
    throw error
  }
}

function applyNumbered(index: number, value: Json, operation: PatchOperation): Json {
  try {
    return applyOperation(value, operation)
  } catch (cause) {
    const problem = cause instanceof RangeError ? cause.message : 'does not fit'
    throw new RangeError(`${index}: ${operation.op} ${operation.path} ${problem}`, { cause })
  }
}

function applyOperation(state: Json, operation: PatchOperation): Json {
  const path = parsePointer(operation.path)
  switch (operation.op) {
    case 'add':
      return setAt(state, path, operation.value, 'add')
    case 'replace':
      valueAt(state, path)
      return setAt(state, path, operation.value, 'replace')
    case 'remove':
      valueAt(state, path)
      return removeAt(state, path)
    case 'test':
      if (isEqual(valueAt(state, path), operation.value)) return state
      throw new RangeError('does not hold')
    case 'copy':
      return setAt(state, path, valueAt(state, parsePointer(operation.from)), 'add')
    case 'move': {
      const from = parsePointer(operation.from)
      if (operation.path.startsWith(`${operation.from}/`)) throw new RangeError('would be moved into itself')
      return setAt(removeAt(state, from), path, valueAt(state, from), 'add')
    }
  }
}

const POINTER = /^(?:\/(?:[^/~]|~[01])*)*$/
/** Keys that could change a prototype in code that uses the state. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** https://www.rfc-editor.org/rfc/rfc6901 */
function parsePointer(pointer: string): string[] {
  if (!POINTER.test(pointer)) throw new RangeError('is no JSON pointer')
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const forbiddenKey = keys.find((key) => FORBIDDEN_KEYS.has(key))
  if (forbiddenKey !== undefined) throw new RangeError(`may not name ${forbiddenKey}`)
  return keys
}

function valueAt(value: Json, path: readonly string[]): Json {
  return path.reduce((child, key) => {
    const found = Array.isArray(child)
      ? child[indexIn(child, key)]
      : isJsonObject(child)
        ? ownField(child, key)
        : undefined
    if (found === undefined) throw new RangeError('is not there')
    return found
  }, value)
}

function setAt(value: Json, path: readonly string[], leaf: Json, how: 'add' | 'replace'): Json {
  const [key, ...rest] = path
  if (key === undefined) return leaf
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    if (rest.length > 0 || how === 'replace') {
      const index = indexIn(list, key)
      return list.with(index, setAt(list[index] ?? null, rest, leaf, how))
    }
    const index = key === '-' ? list.length : indexIn(list, key, 1)
    return list.toSpliced(index, 0, leaf)
  }
  if (!isJsonObject(value)) throw new RangeError('is not there')
  if (rest.length === 0) return { ...value, [key]: leaf }
  const child = ownField(value, key)
  if (child === undefined) throw new RangeError('is not there')
  return { ...value, [key]: setAt(child, rest, leaf, how) }
}

function removeAt(value: Json, path: readonly string[]): Json {
  const [key, ...rest] = path
  if (key === undefined) return null
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    const index = indexIn(list, key)
    return rest.length === 0
      ? list.toSpliced(index, 1)
      : list.with(index, removeAt(list[index] ?? null, rest))
  }
  if (!isJsonObject(value)) throw new RangeError('is not there')
  const { [key]: child, ...others } = value
  if (child === undefined) throw new RangeError('is not there')
  return rest.length === 0 ? others : { ...value, [key]: removeAt(child, rest) }
}

function ownField(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function indexIn(list: readonly Json[], key: string, beyond = 0): number {
  const index = /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : -1
  if (index >= 0 && index < list.length + beyond) return index
  throw new RangeError('is not there')
}

function isEqual(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b)
}
