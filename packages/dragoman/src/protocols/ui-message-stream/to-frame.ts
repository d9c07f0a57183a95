import { omitPrototypeKeys } from '../omit-prototype-keys.ts'
import type { Frame } from '../protocol.ts'
import type { Chunk } from './wire.ts'

/**
 * A key that might change a prototype. The clients refuse a chunk that has one, and with it the stream: it is
 * left out.
 */
const PROTOTYPE_KEY = /"(?:__proto__|constructor)":/

export function toFrame(chunk: Chunk): Frame {
  const text = JSON.stringify(chunk)
  return PROTOTYPE_KEY.test(text) ? JSON.stringify(chunk, omitPrototypeKeys) : text
}
