import type { ClientTurn } from '../events/index.ts'

/**
 * A client may say that so many turns came before, of which the server did not know: the newest count. Each is a row,
 * and they are written as one.
 */
const MAX_TURNS = 1000
/** The run holds them, too, and is read as a whole: no more than a model reads at once. */
const MAX_BYTES = 4 * 1024 * 1024

/** The newest of a client's earlier turns, as far as they are stored. */
export function newestTurns(turns: readonly ClientTurn[]): readonly ClientTurn[] {
  const newest = turns.slice(-MAX_TURNS)
  let bytes = 0
  const beyond = newest.findLastIndex(({ text }) => (bytes += Buffer.byteLength(text)) > MAX_BYTES)
  return newest.slice(beyond + 1)
}
