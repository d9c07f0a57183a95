import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'

import type { EngineHost } from '../agents/index.ts'
import { isServiceError } from '../errors.ts'
import {
  fileIdOf,
  mapPromptFiles,
  mediaTypeOf,
  nameFile,
  REPEATED_FILE,
  type PromptFile,
} from '../events/index.ts'
import { storedFileOf } from './prompt-files.ts'

/** Bytes of all files in one request. No provider takes more, and the server must hold them. */
const MAX_BYTES = 32 * 1024 * 1024

type SupportedUrls = LanguageModelV4['supportedUrls']
type Host = Pick<EngineHost, 'readFile' | 'signal'>

/**
 * The prompt with the content of its files, except of those whose address the model takes. A file that cannot be read
 * is named with the reason, so that its conversation goes on. The newest files have the room that there is. A file that
 * stands in the prompt several times is sent each time while there is room, and at least where it stands last.
 */
export async function withFileContents(
  prompt: LanguageModelV4Prompt,
  supportedUrls: SupportedUrls,
  host: Host,
): Promise<LanguageModelV4Prompt> {
  const patterns = await supportedUrls
  const addressOf = (file: PromptFile): string | undefined => {
    const stored = storedFileOf(file.data)
    const url = stored ?? file.data.url?.href
    return stored === undefined && url !== undefined && isTaken(url, file, patterns) ? undefined : url
  }
  const addresses: string[] = []
  await mapPromptFiles(prompt, (file) => {
    const address = addressOf(file)
    if (address !== undefined) addresses.push(address)
    return file
  })
  if (addresses.length === 0) return prompt
  const contents = await readNewestFirst(addresses, host)
  const places = new Set<string>()
  let room = MAX_BYTES - [...contents.values()].reduce((sum, content) => sum + bytesOf(content), 0)
  return mapPromptFiles(prompt, (file) => {
    const address = addressOf(file)
    const content = address === undefined ? undefined : contents.get(address)
    if (address === undefined || content === undefined) return file
    if (places.has(address)) room -= bytesOf(content)
    if (places.has(address) && room < 0) return { type: 'text', text: nameFile(file, REPEATED_FILE) }
    places.add(address)
    if (typeof content === 'string') return { type: 'text', text: nameFile(file, content) }
    return { ...file, mediaType: mediaTypeOf(content, file.mediaType), data: { type: 'data', data: content } }
  })
}

function bytesOf(content: Uint8Array | string): number {
  return typeof content === 'string' ? 0 : content.byteLength
}

/** The contents, by their addresses; a text says why there is none. */
async function readNewestFirst(
  newestFirst: readonly string[],
  { readFile, signal }: Host,
): Promise<ReadonlyMap<string, Uint8Array | string>> {
  const contents = new Map<string, Uint8Array | string>()
  let room = MAX_BYTES
  for (const address of newestFirst) {
    if (contents.has(address)) continue
    try {
      const content = await readFile(address, room)
      room -= content.byteLength
      // Providers refuse a file of nothing.
      contents.set(address, content.byteLength === 0 ? 'It is empty.' : content)
    } catch (error) {
      if (!isServiceError(error) && !signal.aborted) throw error
      const reason = isServiceError(error) ? error.message : 'It was not read.'
      contents.set(address, fileIdOf(address) === undefined ? `${address}: ${reason}` : reason)
    }
  }
  return contents
}

function isTaken(
  url: string,
  { mediaType }: PromptFile,
  supportedUrls: Readonly<Record<string, readonly RegExp[]>>,
): boolean {
  const [kind = ''] = mediaType.split('/')
  const types = ['*', '*/*', `${kind}/*`, mediaType]
  return types.some((type) => supportedUrls[type]?.some((pattern) => pattern.test(url)))
}
