import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

import { MAX_FILE_WORDS } from '../events/index.ts'

const inflate = promisify(inflateRaw)

/** A document of more XML is not read: a small file can hold gigabytes. */
const MAX_XML_BYTES = 8 * 1024 * 1024
const DOCUMENT = 'word/document.xml'

const END_SIGNATURE = 0x06_05_4b_50
const ENTRY_SIGNATURE = 0x02_01_4b_50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
/** The end of an archive may be followed by a comment. */
const MAX_COMMENT_BYTES = 65_535
const DEFLATED = 8

/**
 * The words of a document of Word, a line for each paragraph, and of a long one its first words: at least one character
 * more than a model gets. Undefined if it is none, or too large. This takes up to a second of the thread.
 */
export async function readDocx(content: Uint8Array): Promise<string | undefined> {
  const archive = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  try {
    const xml = await readEntry(archive, DOCUMENT)
    return xml && toWords(xml.toString('utf8'))
  } catch {
    // It is cut, or made to be read wrongly.
    return undefined
  }
}

/** @throws RangeError for an archive that points outside of itself, and the error of what cannot be inflated */
async function readEntry(archive: Buffer, name: string): Promise<Buffer | undefined> {
  const end = findEnd(archive)
  if (end === undefined) return undefined
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  for (let entry = 0; entry < count && archive.readUInt32LE(at) === ENTRY_SIGNATURE; entry += 1) {
    const nameLength = archive.readUInt16LE(at + 28)
    const start = at + ENTRY_BYTES
    if (archive.toString('utf8', start, start + nameLength) === name) return inflateEntry(archive, at)
    at = start + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return undefined
}

function findEnd(archive: Buffer): number | undefined {
  const last = archive.length - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1)
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at
  return undefined
}

async function inflateEntry(archive: Buffer, at: number): Promise<Buffer> {
  const method = archive.readUInt16LE(at + 10)
  const length = archive.readUInt32LE(at + 20)
  const local = archive.readUInt32LE(at + 42)
  const start = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(start, start + length)
  if (method !== DEFLATED) return packed.subarray(0, MAX_XML_BYTES)
  return inflate(packed, { maxOutputLength: MAX_XML_BYTES })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Only what stands in a text counts. A cell of a table ends with a tab. */
function toWords(xml: string): string {
  const words: string[] = []
  let length = 0
  const add = (text: string): void => {
    if (text === '') return
    words.push(text)
    length += text.length
  }
  for (const [, tag = '', text = ''] of xml.matchAll(/<(\/?w:[a-zA-Z]{1,20})(?:\s[^<>]*)?\/?>([^<]*)/g)) {
    if (tag === 'w:t') add(text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_all, name) => ENTITIES[name] ?? ''))
    if (tag === 'w:tab' || tag === '/w:tc') add('\t')
    if (tag === 'w:br' || tag === '/w:p') add('\n')
    if (length > MAX_FILE_WORDS) break
  }
  return words
    .join('')
    .replaceAll(/\n(?=\t)/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
