/** Repetitions that patterns and parsers can be slow at. */
const PIECES = [
  'i think ',
  '\t',
  ' ',
  '\n',
  '- ',
  '我想',
  'a@a.',
  '[](',
  '<a ',
  '`',
  '*a_',
  '0',
  'http://',
  '{"a":',
  "don't want to ",
  '> ',
  '\u0301',
  '\ud83d\ude00',
] as const

/** A text of many repetitions. Each number has its own. */
export function worstText(number: number, chars: number): string {
  const piece = PIECES[number % PIECES.length] ?? ''
  return `${number} ${piece.repeat(Math.floor(chars / piece.length / bytesOf(piece)))}x`
}

/** Bytes of each UTF-16 unit: limits count bytes. */
function bytesOf(piece: string): number {
  return Math.ceil(Buffer.byteLength(piece) / piece.length)
}
