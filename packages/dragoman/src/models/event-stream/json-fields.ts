import { isJsonObject, parseJson, type Json } from '../../events/index.ts'

export type JsonObject = { readonly [key: string]: Json }
/** Undefined fields disappear in the JSON. */
export type LooseObject = { readonly [key: string]: unknown }

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A number, also one that is written as a text. */
export function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** A text, also one that is written as a number. */
export function word(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : text(value)
}

export function object(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

/** The objects of a list. One that stands alone is a list of one. */
export function objects(value: unknown): readonly JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject)
}

/** The arguments of a call as a text. Some servers send them as an object. */
export function callArguments(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : text(value)
}

/** The arguments of a call as an object. Some servers send them as a text. */
export function parsedArguments(value: unknown): Json | undefined {
  return typeof value === 'string' ? object(parseJson(value)) : object(value)
}

/** Counts of tokens by name, without what is no number. */
export function counts(usage: JsonObject | undefined, ...names: readonly string[]): LooseObject {
  return Object.fromEntries(names.map((name) => [name, number(usage?.[name])]))
}

/** An error that a provider sends within a stream, in any form; undefined if the event holds none. */
export function readProblem({ error, ...event }: JsonObject): LooseObject | undefined {
  if (typeof error === 'string' && error !== '') return { message: error }
  const own = object(error)
  if (own && Object.keys(own).length > 0)
    return {
      ...own,
      message: text(own['message']) ?? JSON.stringify(own),
      type: text(own['type']),
      code: text(own['code']) ?? number(own['code']),
    }
  const isError = event['type'] === 'error' || event['object'] === 'error'
  const message = text(event['detail']) ?? (isError ? (text(event['message']) ?? 'unknown') : undefined)
  return message === undefined ? undefined : { message, code: number(event['code']) }
}
