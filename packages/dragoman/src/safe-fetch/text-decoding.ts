import { TextDecoder } from 'node:util'

/** The part of a page that may declare its character set. */
const HEAD_BYTES = 2048

/**
 * Decodes a body while it arrives. Some encodings are slow, and decoding a large body at once would block the
 * server.
 */
export interface TextDecoding {
  add(bytes: Uint8Array): void
  /** Returns the whole text. Nothing may be added after that. */
  text(): string
}

/** Decodes bytes by the charset of the content type, of the first bytes, or of the page's head. */
export function createTextDecoding(contentType: string): TextDecoding {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1]
  const texts: string[] = []
  let head: Buffer = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  const begin = (): TextDecoder => {
    const newDecoder = decoderFor(charset ?? charsetInHead(head, contentType))
    texts.push(newDecoder.decode(head, { stream: true }))
    return newDecoder
  }
  return {
    add(bytes) {
      if (decoder) texts.push(decoder.decode(bytes, { stream: true }))
      else head = Buffer.concat([head, bytes])
      if (head.length >= HEAD_BYTES) decoder ??= begin()
    },
    text() {
      texts.push((decoder ?? begin()).decode())
      return texts.join('')
    },
  }
}

/** Chinese pages often say only in their head that they are GBK. */
function charsetInHead(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/html|xml/i.test(contentType)) return undefined
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]
}

function decoderFor(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
