export type WalChecksum = readonly [number, number]

type Options = { readonly isBigEndian: boolean; readonly after: WalChecksum }

/** The sum of SQLite: of pairs of words, each weighed by the sum before it. */
export function walChecksum(bytes: Buffer, { isBigEndian, after }: Options): WalChecksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [a, b] = after
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, !isBigEndian) + b) >>> 0
    b = (b + view.getUint32(at + 4, !isBigEndian) + a) >>> 0
  }
  return [a, b]
}

export function isEqual([a, b]: WalChecksum, [c, d]: WalChecksum): boolean {
  return a === c && b === d
}
