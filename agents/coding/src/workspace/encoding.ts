import { ServiceError } from 'dragoman/errors'
import { encodeGb18030 } from './gb18030.ts'

/** How a file's characters are written. A BOM belongs to it: it is no character of the text. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'latin1'

/** The names for readers. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'GB18030',
  latin1: 'Latin-1',
}

const BOMS: Readonly<Partial<Record<Encoding, readonly number[]>>> = {
  'utf-8-bom': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
}

/**
 * Detects the encoding of a file from its first bytes or all of them: UTF-8, else Chinese, else Latin-1, which accepts
 * any bytes.
 */
export function detectEncoding(bytes: Uint8Array): Encoding {
  for (const [encoding, bom] of Object.entries(BOMS)) {
    if (bom.every((byte, at) => bytes[at] === byte)) return encoding as Encoding
  }
  if (isValid('utf-8', bytes)) return 'utf-8'
  return isValid('gb18030', bytes) && looksChinese(bytes) ? 'gb18030' : 'latin1'
}

/** A character may be cut off at the end: what is looked at may be a beginning. */
function isValid(label: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** In Chinese text two high bytes go together; in a Western one a high byte stands among letters. */
function looksChinese(bytes: Uint8Array): boolean {
  let [together, alone] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x81) continue
    at += 1
    if ((bytes[at] ?? 0) >= 0xa1) together += 1
    else alone += 1
  }
  return together > alone
}

/** Decodes bytes as they come; the last call is without any. A BOM is left out. */
export function createDecoder(encoding: Encoding): (bytes?: Uint8Array) => string {
  // The decoder of the name "latin1" is one of Windows-1252, and not every byte comes back from that.
  if (encoding === 'latin1') return (bytes = new Uint8Array()) => Buffer.from(bytes).toString('latin1')
  const decoder = new TextDecoder(encoding === 'utf-8-bom' ? 'utf-8' : encoding)
  return (bytes) => (bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode())
}

export function decode(bytes: Uint8Array, encoding: Encoding): string {
  const next = createDecoder(encoding)
  return next(bytes) + next()
}

/** Encodes text with its BOM. @throws ServiceError `invalid-input` for characters that the encoding does not have */
export function encode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const bytes = toBytes(text, encoding)
  if (decode(bytes, encoding) !== text) {
    const why = text.isWellFormed() ? `are not in ${encodingNames[encoding]}` : 'are halves of characters'
    throw new ServiceError('invalid-input', `Some of these characters ${why}, in which the file is written.`)
  }
  return bytes
}

/** Whether decoding and encoding restores the bytes. Otherwise some bytes are not text. */
export function survivesEncoding(text: string, encoding: Encoding, bytes: Uint8Array): boolean {
  return Buffer.compare(toBytes(text, encoding), bytes) === 0
}

function toBytes(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  return Buffer.concat([Uint8Array.from(BOMS[encoding] ?? []), encodeCharacters(text, encoding)])
}

function encodeCharacters(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-bom':
      return Buffer.from(text, 'utf8')
    case 'utf-16le':
      return Buffer.from(text, 'utf16le')
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16()
    case 'gb18030':
      return encodeGb18030(text)
    case 'latin1':
      return Buffer.from(text, 'latin1')
  }
}
