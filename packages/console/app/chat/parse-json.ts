import type { Json } from '../api/types.ts'

/** What is no JSON is a text. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
