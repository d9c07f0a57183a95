/** What a `data:` URL holds: the type that it says, if it does, and its content in base64. */
export type DataUrl = { readonly mediaType: string | undefined; readonly data: string }

/** What comes before the content has at most so many characters. */
const MAX_HEAD_LENGTH = 2000
/** The type, and parameters. What else begins like an address is a text. */
const BASE64_HEAD = /^data:((?:[\w.+-]+\/[\w.+-]+)?)(?:;(?!base64,)[^;]*)*;base64,/i
const TEXT_HEAD = /^data:((?:[\w.+-]+\/[\w.+-]+)?)(?:;[^;,]*)*,/i
/** Characters of content that are read in a step: about a millisecond. */
const STEP_LENGTH = 65_536
/** A text: pages that read no URL get no code that makes bytes of it. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Work in steps, each of about a millisecond. */
type Steps<T> = Generator<undefined, T, undefined>

/**
 * Reads a `data:` URL in any of its forms: in base64 of both alphabets, also with line breaks, or as text with
 * percent signs. Without content it is an empty file. Undefined for what is no such URL.
 */
export function readDataUrl(url: string): DataUrl | undefined {
  const steps = readDataUrlInSteps(url)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The same for a caller that does something else between two steps: a URL may have megabytes. */
export function* readDataUrlInSteps(url: string): Steps<DataUrl | undefined> {
  const head = readHead(url)
  if (!head) return undefined
  const content = url.slice(head.length)
  const data = yield* head.isBase64 ? readBase64(content) : encodeText(content)
  return data === undefined ? undefined : { mediaType: head.mediaType, data }
}

/** Whether a text begins as a `data:` URL does. Its content is not read. */
export function isDataUrl(url: string): boolean {
  return readHead(url) !== undefined
}

function readHead(url: string) {
  // Browsers make it of an empty file.
  if (url === 'data:') return { mediaType: undefined, isBase64: true, length: url.length }
  const start = url.slice(0, MAX_HEAD_LENGTH)
  const inBase64 = BASE64_HEAD.exec(start)
  const [head, mediaType] = inBase64 ?? TEXT_HEAD.exec(start) ?? []
  if (head === undefined) return undefined
  return { mediaType: mediaType || undefined, isBase64: inBase64 !== null, length: head.length }
}

/** Base64 in the usual alphabet, without blanks. Undefined for what is none. */
function* readBase64(content: string): Steps<string | undefined> {
  const pieces: string[] = []
  let isSame = true
  for (const piece of cut(content)) {
    const plain = piece.includes('%') ? new TextDecoder().decode(percentDecode(piece)) : piece
    const data = isUsual(plain)
      ? plain
      : plain.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
    if (!isUsual(data)) return undefined
    isSame &&= data === piece
    pieces.push(data)
    yield
  }
  const data = isSame ? content : pieces.join('')
  const end = data.indexOf('=')
  const padding = end < 0 ? '' : data.slice(end)
  const isWhole = data === '' || (data !== padding && padding.length <= 2)
  return isWhole && !/[^=]/.test(padding) ? data : undefined
}

function isUsual(text: string): boolean {
  return !/[^A-Za-z0-9+/=]/.test(text)
}

function* encodeText(text: string): Steps<string> {
  let data = ''
  let rest = new Uint8Array()
  for (const piece of cut(text)) {
    const bytes = concat(rest, percentDecode(piece))
    // Three bytes are four characters.
    const end = bytes.length - (bytes.length % 3)
    data += encode(bytes.subarray(0, end))
    rest = bytes.slice(end)
    yield
  }
  return data + encode(rest)
}

function concat(start: Uint8Array, end: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(start.length + end.length)
  bytes.set(start)
  bytes.set(end, start.length)
  return bytes
}

/** Twenty times as fast as `btoa` of the characters of these bytes. */
function encode(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  let end = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let shift = 18; shift >= 0; shift -= 6) codes[end++] = ALPHABET.charCodeAt((three >> shift) & 63)
  }
  return new TextDecoder()
    .decode(codes)
    .slice(0, Math.ceil((bytes.length * 4) / 3))
    .padEnd(end, '=')
}

/** Pieces of a text. None ends within a code like `%41`, or within a character. */
function* cut(text: string): Generator<string, void> {
  for (let at = 0; at < text.length;) {
    let end = at + STEP_LENGTH
    if (end < text.length) {
      const code = text.slice(end - 2, end).lastIndexOf('%')
      if (code >= 0) end += code - 2
      if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    }
    yield text.slice(at, end)
    at = end
  }
}

const PERCENT = 0x25

/** The bytes of a text in which `%41` is a byte. A sign that begins none is itself. */
function percentDecode(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const code = byte === PERCENT ? 16 * digitOf(bytes[at + 1]) + digitOf(bytes[at + 2]) : Number.NaN
    const isCode = !Number.isNaN(code)
    bytes[end++] = isCode ? code : byte
    if (isCode) at += 2
  }
  return bytes.subarray(0, end)
}

/** The value of a hexadecimal digit; NaN for none. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
