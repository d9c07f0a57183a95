import { deflateRawSync, inflateRawSync } from 'node:zlib'

import type { StoredEntry } from './rows.ts'

/** Entries of one piece: a reader who comes back in the middle unpacks no more than it needs. */
export const MAX_PIECE_ENTRIES = 1000
/** Letters after which a piece is full, whatever the number of its entries. */
const MAX_PIECE_CHARACTERS = 64 * 1024
/** A larger entry stays as it is: to pack it takes several times its size. */
export const MAX_PACKED_BYTES: number = 1024 * 1024

/** A backlog is not counted beyond this number of runs. */
export const MAX_COUNTED_RUNS = 100_000

/** Column by column, numbers as steps from the one before: neighbours are alike, and deflate makes little of them. */
type Columns = readonly [
  seq: readonly number[],
  at: readonly number[],
  kind: readonly number[],
  part: readonly StoredEntry['part'][],
  letters: readonly number[],
  text: string,
]

/** Tells, called with one row after the other, which one fills a piece. */
export function fillsPiece(): (row: Pick<StoredEntry, 'body'>) => boolean {
  let characters = 0
  return ({ body }) => (characters += body.length) >= MAX_PIECE_CHARACTERS
}

/** The rows as one value. */
export function packEntries(rows: readonly StoredEntry[]): Uint8Array {
  const columns: Columns = [
    steps(rows.map(({ seq }) => seq)),
    steps(rows.map(({ at }) => at)),
    rows.map(({ kind }) => kind),
    rows.map(({ part }) => part),
    rows.map(({ body }) => body.length),
    rows.map(({ body }) => body).join(''),
  ]
  return deflateRawSync(JSON.stringify(columns))
}

/** The very same rows. */
export function unpackEntries(value: Uint8Array): StoredEntry[] {
  const columns = JSON.parse(inflateRawSync(value).toString()) as Columns
  const [seq, at] = [sums(columns[0]), sums(columns[1])]
  const [, , kind, part, letters, text] = columns
  let from = 0
  return letters.map((count, index) => {
    const body = text.slice(from, (from += count))
    return {
      seq: seq[index] ?? 0,
      at: at[index] ?? 0,
      kind: kind[index] ?? 0,
      part: part[index] ?? null,
      body,
    }
  })
}

function steps(values: readonly number[]): number[] {
  return values.map((value, index) => value - (values[index - 1] ?? 0))
}

function sums(stepped: readonly number[]): number[] {
  let sum = 0
  return stepped.map((step) => (sum += step))
}
