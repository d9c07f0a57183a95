/** A short text for a set of ids: two sets that differ have different texts, but for one of four thousand million. */
export function digestIds(ids: readonly string[]): string {
  const sum = ids.reduce((total, id) => (total + hash(id)) >>> 0, 0)
  return `${ids.length}.${sum.toString(36)}`
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x1_00_01_93)
  return value >>> 0
}
