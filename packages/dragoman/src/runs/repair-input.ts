import { isJsonObject, type Json } from '../events/index.ts'
import type { Issue } from '../agents/index.ts'

/** A model may write as many mistakes as it likes. */
const MAX_ISSUES = 50

/**
 * The input of a call with what models often write amended, where the schema has refused it: a number or a boolean as a
 * text, and an empty text or a null in place of nothing. `isLast`: a zero is taken for nothing, too. Undefined if there
 * is nothing to amend. The result must be validated again.
 */
export function repairInput(input: Json, issues: readonly Issue[], isLast: boolean): Json | undefined {
  const copy = structuredClone(input)
  let isChanged = false
  for (const { path = [] } of issues.slice(0, MAX_ISSUES)) {
    const keys = path.map((key) => (typeof key === 'object' ? key.key : key))
    const last = keys.pop()
    const holder = keys.reduce<Json | undefined>((value, key) => child(value, key), copy)
    if (last !== undefined && amend(holder, last, isLast)) isChanged = true
  }
  return isChanged ? copy : undefined
}

type Writable = { [field: string]: Json }

function amend(holder: Json | undefined, key: PropertyKey, isLast: boolean): boolean {
  const value = child(holder, key)
  if (value === undefined) return false
  const isNothing = value === '' || value === null || (isLast && value === 0)
  const replaced = typeof value === 'string' ? scalarIn(value) : undefined
  if (isNothing && isJsonObject(holder)) {
    Reflect.deleteProperty(holder, String(key))
    return true
  }
  if (replaced === undefined) return false
  ;(holder as Writable)[String(key)] = replaced
  return true
}

/** The number or boolean that a text says. */
function scalarIn(text: string): number | boolean | undefined {
  const words = text.trim().toLowerCase()
  if (words === 'true' || words === 'false') return words === 'true'
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(words) ? Number(words) : undefined
}

function child(value: Json | undefined, key: PropertyKey): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Writable)[String(key)]
}
