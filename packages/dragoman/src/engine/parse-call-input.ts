import {
  canonicalJson,
  describeJsonExcess,
  findJsonExcess,
  isJsonObject,
  type Json,
} from '../events/index.ts'
import type { CallInput } from '../agents/index.ts'

/** Gateways write an input twice, and empty ones. */
const MAX_REPEATS = 8
/** What a key can hold that changes an object's prototype. */
const SUSPICIOUS = /__proto__|prototype|\\u/

/** Parses a call's input as the model wrote it. No input, null or an empty string is an empty object. */
export function parseCallInput(text: string): CallInput {
  if (text.trim() === '') return { value: {} }
  const excess = findJsonExcess(text)
  if (excess) return { unreadable: '', problem: `is not as it must be: it has ${describeJsonExcess(excess)}` }
  const whole = parse(text)
  // Some encode it twice.
  const inner = typeof whole === 'string' && whole.trimStart().startsWith('{') && parseCallInput(whole)
  if (inner && 'value' in inner) return inner
  const value = whole === undefined ? parseRepeated(text) : whole
  if (value === undefined) return { unreadable: text }
  return { value: value === '' || value === null ? {} : value }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text, SUSPICIOUS.test(text) ? refusePrototypeKeys : undefined) as Json
  } catch {
    return undefined
  }
}

/**
 * The one object of a text that repeats it, or has empty ones around it. Gateways write an empty input at the beginning
 * of a call, or the whole input once more at its end.
 */
function parseRepeated(text: string): Json | undefined {
  const values: { readonly [field: string]: Json }[] = []
  for (const piece of splitObjects(text)) {
    const value = parse(piece)
    if (!isJsonObject(value) || values.length === MAX_REPEATS) return undefined
    values.push(value)
  }
  if (values.length < 2) return undefined
  const filled = values.filter((value) => Object.keys(value).length > 0)
  const [first = {}] = filled
  return filled.every((value) => canonicalJson(value) === canonicalJson(first)) ? first : undefined
}

/** What stands in the outermost braces, each with what comes before it. */
function* splitObjects(text: string): Generator<string, void> {
  let depth = 0
  let start = 0
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{') depth += 1
    if (token !== '}' || --depth > 0) continue
    yield text.slice(start, index + 1)
    start = index + 1
  }
  const rest = text.slice(start)
  if (rest.trim() !== '') yield rest
}

/** Braces, and whole strings, so that no brace in a string counts. */
const TOKENS = /[{}]|"(?:[^"\\]|\\.?)*(?:"|$)/gs

/** Refuses keys that change an object's prototype when the object is copied. */
function refusePrototypeKeys(key: string, value: unknown): unknown {
  const isForbidden =
    key === '__proto__' || (key === 'constructor' && isJsonObject(value) && 'prototype' in value)
  if (isForbidden) throw new SyntaxError(`The key ${key} is not taken.`)
  return value
}
