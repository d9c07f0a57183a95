import { canonicalJson, isJsonObject, type Json } from './json.ts'

/** One change of a JSON value, by the place that a JSON pointer names. https://www.rfc-editor.org/rfc/rfc6902 */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/**
 * A value after its changes, of which all hold or none. The value itself stays as it was. @throws RangeError naming the operation that does
 * not fit, or a `test` that does not hold. `onCopied` is told what it is after each copy: a few of them make a value without measure.
 */
export function patched(
  state: Json,
  patch: readonly PatchOperation[],
  onCopied?: (value: Json) => void,
): Json {
  return patch.reduce((value, operation, index) => {
    const next = appliedAt(index, value, operation)
    if (operation.op === 'copy') onCopied?.(next)
    return next
  }, state)
}

/** A value after its changes, or as it was where they do not fit. */
export function patchedIfFit(state: Json, patch: readonly PatchOperation[]): Json {
  try {
    return patched(state, patch)
  } catch (error) {
    if (error instanceof RangeError) return state
    throw error
  }
}

function appliedAt(index: number, value: Json, operation: PatchOperation): Json {
  try {
    return applied(value, operation)
  } catch (cause) {
    const words = cause instanceof RangeError ? cause.message : 'does not fit'
    throw new RangeError(`${index}: ${operation.op} ${operation.path} ${words}`, { cause })
  }
}

function applied(state: Json, operation: PatchOperation): Json {
  const path = keysOf(operation.path)
  switch (operation.op) {
    case 'add':
      return put(state, path, operation.value, 'add')
    case 'replace':
      at(state, path)
      return put(state, path, operation.value, 'replace')
    case 'remove':
      at(state, path)
      return without(state, path)
    case 'test':
      if (same(at(state, path), operation.value)) return state
      throw new RangeError('does not hold')
    case 'copy':
      return put(state, path, at(state, keysOf(operation.from)), 'add')
    case 'move': {
      const from = keysOf(operation.from)
      if (operation.path.startsWith(`${operation.from}/`)) throw new RangeError('would be moved into itself')
      return put(without(state, from), path, at(state, from), 'add')
    }
  }
}

const POINTER = /^(?:\/(?:[^/~]|~[01])*)*$/
/** What might change a prototype in somebody's hands, if not in ours. */
const SUSPECT = new Set(['__proto__', 'constructor', 'prototype'])

/** https://www.rfc-editor.org/rfc/rfc6901 */
function keysOf(pointer: string): string[] {
  if (!POINTER.test(pointer)) throw new RangeError('is no JSON pointer')
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const suspect = keys.find((key) => SUSPECT.has(key))
  if (suspect !== undefined) throw new RangeError(`may not name ${suspect}`)
  return keys
}

function at(value: Json, path: readonly string[]): Json {
  return path.reduce((held, key) => {
    const found = Array.isArray(held)
      ? held[indexIn(held, key)]
      : isJsonObject(held)
        ? own(held, key)
        : undefined
    if (found === undefined) throw new RangeError('is not there')
    return found
  }, value)
}

function put(value: Json, path: readonly string[], leaf: Json, how: 'add' | 'replace'): Json {
  const [key, ...rest] = path
  if (key === undefined) return leaf
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    if (rest.length > 0 || how === 'replace') {
      const index = indexIn(list, key)
      return list.with(index, put(list[index] ?? null, rest, leaf, how))
    }
    const index = key === '-' ? list.length : indexIn(list, key, 1)
    return list.toSpliced(index, 0, leaf)
  }
  if (!isJsonObject(value)) throw new RangeError('is not there')
  if (rest.length === 0) return { ...value, [key]: leaf }
  const held = own(value, key)
  if (held === undefined) throw new RangeError('is not there')
  return { ...value, [key]: put(held, rest, leaf, how) }
}

function without(value: Json, path: readonly string[]): Json {
  const [key, ...rest] = path
  if (key === undefined) return null
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    const index = indexIn(list, key)
    return rest.length === 0 ? list.toSpliced(index, 1) : list.with(index, without(list[index] ?? null, rest))
  }
  if (!isJsonObject(value)) throw new RangeError('is not there')
  const { [key]: held, ...others } = value
  if (held === undefined) throw new RangeError('is not there')
  return rest.length === 0 ? others : { ...value, [key]: without(held, rest) }
}

function own(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function indexIn(list: readonly Json[], key: string, beyond = 0): number {
  const index = /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : -1
  if (index >= 0 && index < list.length + beyond) return index
  throw new RangeError('is not there')
}

function same(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b)
}
