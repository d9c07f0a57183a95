import { stepByStep } from '../async/index.ts'
import { isJsonObject, mediaTypeOf, readDataUrlInSteps, type Json } from '../events/index.ts'

/** A shorter text is no file. */
const MIN_CHARACTERS = 64
/** A pattern for all of a long text could fill the stack. */
const NOT_BASE64 = /[^\w+/=\r\n-]/
/** The types that their first bytes show, see `mediaTypeOf`. */
const BY_CONTENT = /^(?:image|audio)\/|^application\/pdf$/

export type ResultFile = { readonly mediaType: string; readonly content: Uint8Array }

/**
 * Copies a result with something in place of each file that it holds as base64, such as a picture that the provider's
 * tool made.
 */
export async function replaceFiles(
  result: Json,
  replace: (file: ResultFile) => Promise<string>,
): Promise<Json> {
  if (typeof result === 'string') {
    const file = await readFile(result)
    return file ? replace(file) : result
  }
  if (Array.isArray(result)) {
    const items: Json[] = []
    for (const item of result as Json[]) items.push(await replaceFiles(item, replace))
    return items
  }
  if (!isJsonObject(result)) return result
  const fields: [string, Json][] = []
  for (const [name, value] of Object.entries(result)) fields.push([name, await replaceFiles(value, replace)])
  return Object.fromEntries(fields)
}

async function readFile(text: string): Promise<ResultFile | undefined> {
  if (text.length < MIN_CHARACTERS) return undefined
  const { mediaType: declared, data } = (await stepByStep(readDataUrlInSteps(text))) ?? { data: text }
  const mediaType = mediaTypeOf(Buffer.from(data.slice(0, MIN_CHARACTERS), 'base64'), declared)
  if ((declared === undefined && !BY_CONTENT.test(mediaType)) || NOT_BASE64.test(data)) return undefined
  return { mediaType, content: Buffer.from(data, 'base64') }
}
