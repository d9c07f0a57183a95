import { crc32 } from 'node:zlib'

/** In which of so many parts a thread is, from 0 on. */
export function partOfThread(threadId: string, parts: number): number {
  return crc32(threadId) % parts
}
