import { TextDecoder } from 'node:util'

/** Where a page may say how it is written. */
const HEAD_BYTES = 2048

/** A body that is read as text while it comes: some writings take long, and a large body all at once would hold up everybody. */
export interface TextDecoding {
  add(bytes: Uint8Array): void
  /** The whole text. Nothing may be added any more. */
  text(): string
}

/** Reads a body's bytes as text, by what its type, its first bytes or, in a page, its head says of them. */
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
