import { isJsonObject, type Json } from 'dragoman/events'

type Result = { readonly output?: Json; readonly text?: string }

/**
 * A result with the words that VibeLife's pages look for: text and data, or only the text if there are no data.
 * Cards, and data that contain the text, are sent as they are.
 */
export function withWords<R extends Result>(result: R): R & { readonly output: Json } {
  const { output = null, text = '' } = result
  return { ...result, output: wordsAndData(output, text) }
}

function wordsAndData(output: Json, text: string): Json {
  if (isJsonObject(output)) {
    const { text: words, cardType } = output as { readonly text?: Json; readonly cardType?: Json }
    if (words === text || (typeof words === 'string' && typeof cardType === 'string')) return output
  }
  return output === null || output === text ? text : { text, data: output }
}
