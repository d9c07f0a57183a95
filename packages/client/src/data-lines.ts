/**
 * Returns the data of the server-sent events in a text. Comments are heartbeats and are left out.
 *
 * @example
 * dataLines('id: 1\ndata: {"a":1}\n\n') // ['{"a":1}']
 */
export function dataLines(text: string): string[] {
  // No regular expression: its lines also end at U+2028, which a text may contain.
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
}
