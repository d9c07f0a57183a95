/** How much of a file is looked at, in bytes: as much as git looks at. */
const LOOKED_AT = 8192

/** Whether bytes are no text: they hold a NUL, and do not begin as UTF-16 does. */
export function looksBinary(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.subarray(0, LOOKED_AT).includes(0)
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}
