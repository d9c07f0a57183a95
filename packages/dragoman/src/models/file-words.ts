import { webcrypto } from 'node:crypto'

import { MAX_FILE_WORDS, nameFile, REPEATED_FILE, wordFormatOf, type PromptFile } from '../events/index.ts'
import { createDocxReader, type DocxReader } from './docx-reader.ts'

/** A document without words takes time too. */
const MAX_DOCUMENTS = 20

const NO_ROOM =
  `Its words have no room: a model gets at most ${MAX_FILE_WORDS} characters of the words of all files in one ` +
  'request, those of the newest files first.'
const TOO_MANY = `It was not read: at most ${MAX_DOCUMENTS} Word documents are read for one request, the newest first.`
const UNREADABLE = 'It could not be read: it is damaged, or unpacks to more than 8 MB of text.'
const UNREAD = 'It could not be read in time.'
const REST = `\n[The rest of the file was left out: the files of a request have at most ${MAX_FILE_WORDS} characters.]`

type TextPart = { readonly type: 'text'; readonly text: string }
type Words = { readonly words: string; readonly isCut: boolean }

/** A text in place of a file: its words if it has some, else its name with the reason. */
export type FileWords = (file: PromptFile, reason: string) => Promise<TextPart>

const readWithOthers = createDocxReader()

/**
 * The words of the files in one request, as long as they have room. Give it the newest file first, one at a time. The
 * same words stand there once. `turn`: who takes turns with others where documents are read.
 */
export function createFileWords(
  { turn, signal }: { readonly turn: string; readonly signal?: AbortSignal | undefined },
  readDocx: DocxReader = readWithOthers,
): FileWords {
  const digests = new Set<string>()
  let room = MAX_FILE_WORDS
  let documents = 0

  const readDocument = async (content: Uint8Array, digest: string): Promise<Words | string> => {
    documents += 1
    if (documents > MAX_DOCUMENTS) return TOO_MANY
    try {
      const { words } = await readDocx({ content, digest, turn }, signal)
      return words === undefined ? UNREADABLE : { words, isCut: false }
    } catch {
      signal?.throwIfAborted()
      return UNREAD
    }
  }
  /** The words, or the reason why there are none. */
  const read = async (content: Uint8Array, format: 'text' | 'docx'): Promise<Words | string> => {
    if (room === 0) return NO_ROOM
    // What is behind the room makes no difference.
    const start = format === 'text' ? content.subarray(0, MAX_FILE_WORDS + 1) : content
    const digest = await digestOf(start)
    if (digests.has(digest)) return REPEATED_FILE
    digests.add(digest)
    if (format === 'docx') return readDocument(content, digest)
    return { words: decodeText(start), isCut: start.length < content.length }
  }
  return async (file, reason) => {
    signal?.throwIfAborted()
    const { data, mediaType, filename = mediaType } = file
    const format = wordFormatOf(mediaType)
    const content = format && data.type === 'data' ? bytesOf(data.data) : undefined
    if (!format || !content)
      return { type: 'text', text: nameFile(file, data.url ? `${data.url.href}: ${reason}` : reason) }
    const found = await read(content, format)
    if (typeof found === 'string') return { type: 'text', text: nameFile(file, found) }
    const words = found.words.slice(0, room)
    const isCut = found.isCut || words.length < found.words.length
    room -= words.length
    return { type: 'text', text: `[File: ${filename}]\n${words}${isCut ? REST : ''}` }
  }
}

/** Not on this thread. */
async function digestOf(content: Uint8Array): Promise<string> {
  const digest = await webcrypto.subtle.digest('SHA-256', content)
  return Buffer.from(digest).toString('base64')
}

/** Notepad and Excel write UTF-16 after its mark. */
function decodeText(content: Uint8Array): string {
  const [first, second] = content
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const encoding = first === 0xfe ? 'utf-16be' : 'utf-16le'
  return new TextDecoder(isWide ? encoding : 'utf-8').decode(content)
}

function bytesOf(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data
  return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined
}
