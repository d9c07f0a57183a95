import { setImmediate } from 'node:timers/promises'

import { createJsonValueCounter } from 'dragoman/http'

/** Scanning this many bytes takes some milliseconds. Then other work gets a turn. */
const CHUNK_BYTES = 2_000_000

/**
 * Limits the number and depth of the values in a JSON text, before it is parsed. @throws ServiceError
 * `invalid-request`
 */
export async function limitJsonSize(json: Uint8Array): Promise<void> {
  const count = createJsonValueCounter()
  for (let at = 0; at < json.length; at += CHUNK_BYTES) {
    if (at > 0) await setImmediate()
    count(json.subarray(at, at + CHUNK_BYTES))
  }
}
