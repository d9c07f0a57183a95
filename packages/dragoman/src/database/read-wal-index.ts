import { open } from 'node:fs/promises'

import { isEqual, walChecksum } from './wal-checksum.ts'

/** The version of the format, and the sizes of its header and of what is read of the part after its two copies. */
const VERSION = 3_007_000
const HEADER_BYTES = 48
const SUM_AT = 40
const READ_BYTES = 2 * HEADER_BYTES + 4

/** What SQLite has noted of a write-ahead log. */
export type WalIndex = {
  /** Frames up to the last commit. */
  readonly frames: number
  /** How many of them are in the database file already. */
  readonly foldedFrames: number
  readonly salts: Buffer
}

/**
 * Reads the index of a write-ahead log (`-shm`). A commit is noted after its frames are written, so the log of a
 * process that was killed has all of them. Only for a database that this process does not have open: closing the file
 * would end SQLite's locks. https://www.sqlite.org/walformat.html#the_wal_index_file_format
 */
export async function readWalIndex(file: string): Promise<WalIndex | undefined> {
  const handle = await open(`${file}-shm`, 'r').catch(() => undefined)
  if (!handle) return undefined
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
    return bytesRead === READ_BYTES ? parse(buffer) : undefined
  } finally {
    await handle.close()
  }
}

/** Undefined if it is being written, is damaged, or has the words of a processor that we do not run on. */
function parse(bytes: Buffer): WalIndex | undefined {
  const header = bytes.subarray(0, HEADER_BYTES)
  const isWritten = header.equals(bytes.subarray(HEADER_BYTES, 2 * HEADER_BYTES)) && header[12] === 1
  const sum = walChecksum(header.subarray(0, SUM_AT), { isBigEndian: false, after: [0, 0] })
  const isIntact = isEqual(sum, [header.readUInt32LE(SUM_AT), header.readUInt32LE(SUM_AT + 4)])
  if (!isWritten || !isIntact || header.readUInt32LE(0) !== VERSION) return undefined
  return {
    frames: header.readUInt32LE(16),
    foldedFrames: bytes.readUInt32LE(2 * HEADER_BYTES),
    salts: header.subarray(32, 40),
  }
}
