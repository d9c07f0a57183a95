/** A name or path on one line, whatever is in it: line breaks and signs for terminals are written as in JSON. */
export function toOneLine(name: string): string {
  return /\p{Cc}|[\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name
}
