import { setImmediate } from 'node:timers/promises'

import { createJsonValueCounter } from 'dragoman/http'

/** To look through so many bytes takes some milliseconds: then others have their turn. */
const CHUNK_BYTES = 2_000_000

/** Looks through JSON for how many values it holds, and how deep, before anything is made of it. @throws ServiceError `invalid-request` */
export async function limitJsonSize(json: Uint8Array): Promise<void> {
  const count = createJsonValueCounter()
  for (let at = 0; at < json.length; at += CHUNK_BYTES) {
    if (at > 0) await setImmediate()
    count(json.subarray(at, at + CHUNK_BYTES))
  }
}
