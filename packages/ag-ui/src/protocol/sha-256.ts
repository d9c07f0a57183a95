/** SHA-256 of a text, in hexadecimal (FIPS 180-4). Codecs are pure: they import nothing of Node. */
export function sha256(text: string): string {
  const words = toPaddedWords(new TextEncoder().encode(text))
  const state = Int32Array.from(FIRST_PRIMES.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)))
  for (let at = 0; at < words.length; at += 16) addBlock(state, words.subarray(at, at + 16))
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

const FIRST_PRIMES: readonly number[] = Array.from({ length: 312 }, (_, at) => at).filter(
  (number) =>
    number > 1 &&
    !Array.from({ length: 16 }, (_, at) => at + 2).some((by) => by < number && number % by === 0),
)
const ROUND_CONSTANTS: readonly number[] = FIRST_PRIMES.map((prime) => fractionOf(Math.cbrt(prime)))

/** The first 32 bits of the fractional part. */
function fractionOf(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0
}

/** The message, a bit, zeros and its length in bits: whole blocks of 16 words. */
function toPaddedWords(bytes: Uint8Array): Int32Array {
  const words = new Int32Array(Math.ceil((bytes.length + 9) / 64) * 16)
  for (const [at, byte] of [...bytes, 0x80].entries())
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at % 4) * 8))
  words[words.length - 1] = bytes.length * 8
  return words
}

function addBlock(state: Int32Array, block: Int32Array): void {
  const schedule = new Int32Array(64)
  schedule.set(block)
  const wordAt = (at: number): number => schedule[at] ?? 0
  for (let at = 16; at < 64; at++) {
    const [early, late] = [wordAt(at - 15), wordAt(at - 2)]
    const mixedEarly = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const mixedLate = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    schedule[at] = wordAt(at - 16) + mixedEarly + wordAt(at - 7) + mixedLate
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const first =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUND_CONSTANTS[at] ?? 0) + wordAt(at)) | 0
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}
