/** What a `data:` URL holds: the type that it says, if it does, and its content in base64. */
export type DataUrl = { readonly mediaType: string | undefined; readonly data: string }

/** What comes before the content has at most so many characters. */
const MAX_HEAD_LENGTH = 2000
/** The type, and parameters. What else begins like an address is a text. */
const BASE64_HEAD = /^data:((?:[\w.+-]+\/[\w.+-]+)?)(?:;(?!base64,)[^;]*)*;base64,/i
const TEXT_HEAD = /^data:((?:[\w.+-]+\/[\w.+-]+)?)(?:;[^;,]*)*,/i
/** Bytes of a text that become characters at a time. */
const PIECE_BYTES = 8192

/**
 * Reads a `data:` URL in any of its forms: in base64 of both alphabets, also with line breaks, or as text with
 * percent signs. Without content it is an empty file. Undefined for what is no such URL.
 */
export function readDataUrl(url: string): DataUrl | undefined {
  // Browsers make it of an empty file.
  if (url === 'data:') return { mediaType: undefined, data: '' }
  const start = url.slice(0, MAX_HEAD_LENGTH)
  const inBase64 = BASE64_HEAD.exec(start)
  const [head, mediaType] = inBase64 ?? TEXT_HEAD.exec(start) ?? []
  if (head === undefined) return undefined
  const content = url.slice(head.length)
  const data = inBase64 ? readBase64(content) : encodeText(content)
  return data === undefined ? undefined : { mediaType: mediaType || undefined, data }
}

/** Base64 in the usual alphabet, without blanks. Undefined for what is none. */
function readBase64(text: string): string | undefined {
  const plain = text.includes('%') ? new TextDecoder().decode(percentDecode(text)) : text
  const data = plain.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const end = data.indexOf('=')
  const padding = end < 0 ? '' : data.slice(end)
  // A pattern for all of a large file could fill the stack.
  const isWhole = data === '' || (data !== padding && padding.length <= 2)
  return isWhole && !/[^=]/.test(padding) && !/[^A-Za-z0-9+/=]/.test(data) ? data : undefined
}

function encodeText(text: string): string {
  const bytes = percentDecode(text)
  let characters = ''
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    characters += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES))
  return btoa(characters)
}

const PERCENT = 0x25

/** The bytes of a text in which `%41` is a byte. A sign that begins none is itself. */
function percentDecode(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const digits = byte === PERCENT ? String.fromCharCode(...bytes.subarray(at + 1, at + 3)) : ''
    const isCode = /^[\da-f]{2}$/i.test(digits)
    bytes[end++] = isCode ? Number.parseInt(digits, 16) : byte
    if (isCode) at += 2
  }
  return bytes.subarray(0, end)
}
