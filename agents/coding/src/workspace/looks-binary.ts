/** How much of a file is looked at, in bytes: as much as git looks at. */
const SAMPLE_BYTES = 8192

/** Whether bytes are no text: they hold a NUL, and do not begin as UTF-16 does. */
export function looksBinary(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.subarray(0, SAMPLE_BYTES).includes(0)
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** What files begin with. */
const FILE_KINDS: readonly (readonly [string, string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive, or an office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['\x7fELF', 'a program'],
  ['MZ', 'a Windows program'],
  ['\0asm', 'a WebAssembly module'],
  ['SQLite format 3', 'a SQLite database'],
]

/** What a file that is no text is, by its first bytes. */
export function binaryKind(head: Uint8Array): string {
  const text = Buffer.from(head.subarray(0, 16)).toString('latin1')
  return FILE_KINDS.find(([beginning]) => text.startsWith(beginning))?.[1] ?? 'a binary file'
}
