import { setImmediate as immediate } from 'node:timers/promises'

/** A step over fewer bytes takes a few ms. */
const LARGE_BYTES = 256 * 1024

/**
 * Gives the event loop a turn between two steps of work on so many bytes, if they are many: to read, to parse, to write
 * and to encode 16 MB takes some 30 ms each.
 */
export async function turnBetween(bytes: number): Promise<void> {
  if (bytes >= LARGE_BYTES) await immediate()
}
