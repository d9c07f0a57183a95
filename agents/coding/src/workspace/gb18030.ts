import { lazy } from 'dragoman/async'

/** The bytes of each character of the basic plane. The platform has only a decoder, so the table inverts it. */
const table = lazy(() => {
  const twoBytes = Array.from({ length: 126 * 191 }, (_, at) => [
    0x81 + Math.floor(at / 191),
    0x40 + (at % 191),
  ])
  const all = [...twoBytes, ...Array.from({ length: 39_420 }, (_, at) => fourBytes(at))]
  const lines = Uint8Array.from(all.flatMap((bytes) => [...bytes, NEWLINE]))
  const characters = new TextDecoder('gb18030').decode(lines).split('\n')
  const encodings = new Map<string, readonly number[]>()
  for (const [at, bytes] of all.entries()) {
    const character = characters[at] ?? ''
    const isOne = character.length === 1 && character !== '\ufffd'
    if (isOne && !encodings.has(character)) encodings.set(character, bytes)
  }
  return encodings
})

const NEWLINE = 0x0a

/** Where the characters beyond the basic plane begin. */
const SUPPLEMENTARY_START = 189_000

/** Text in GB18030, of which GBK is a part. What it has no bytes for becomes a question mark. */
export function encodeGb18030(text: string): Uint8Array {
  const bytes = Buffer.alloc(text.length * 4)
  let length = 0
  for (const character of text) {
    for (const byte of bytesOf(character)) {
      bytes[length] = byte
      length += 1
    }
  }
  return bytes.subarray(0, length)
}

function bytesOf(character: string): readonly number[] {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return [code]
  return code > 0xffff ? fourBytes(SUPPLEMENTARY_START + code - 0x10000) : (table().get(character) ?? [0x3f])
}

function fourBytes(place: number): number[] {
  const digit = (worth: number, count: number): number => Math.floor(place / worth) % count
  return [0x81 + digit(12_600, 126), 0x30 + digit(1260, 10), 0x81 + digit(10, 126), 0x30 + digit(1, 10)]
}
