import { open, type FileHandle } from 'node:fs/promises'

import { isEqual, walChecksum, type WalChecksum } from './wal-checksum.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Of a page, as far as it is kept. */
const PAGE_START_BYTES = 100
/** Frames of one read. */
const CHUNK_FRAMES = 256
/** The magic number; the last bit says whether checksums are of big-endian words. */
const MAGIC = 0x377f0682
/** The page size of the files that this server makes. */
const DEFAULT_PAGE_BYTES = 4096

/** What is in a write-ahead log. */
export type WalkedLog = {
  readonly bytes: number
  readonly salts: Buffer
  /** Frames that SQLite finds: up to the last commit before the first bad one. */
  readonly frames: number
  /** The start of the first page as of that commit, if it is among the frames. */
  readonly firstPage: Buffer | undefined
  /** The first bad frame, from 1; 0: the header. */
  readonly bad: number
  /** Intact frames of this log behind it, and the transactions that they end. */
  readonly lostFrames: number
  readonly lostTransactions: number
}

/** Walks all frames of the log of a database file. Undefined if there is none. */
export async function walkWal(file: string): Promise<WalkedLog | undefined> {
  const handle = await open(`${file}-wal`, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const { size: bytes } = await handle.stat()
    const header = Buffer.concat([await readAt(handle, 0, HEADER_BYTES), Buffer.alloc(HEADER_BYTES)])
    const layout = await layoutOf(handle, header)
    const { salts } = layout
    const count = frameCounter(layout.isHeaderIntact)
    await walkFrames(handle, layout, checksumAt(header, 24), count.add)
    return { bytes, salts, ...count.result() }
  } finally {
    await handle.close()
  }
}

type Layout = {
  readonly isHeaderIntact: boolean
  readonly isBigEndian: boolean
  readonly pageBytes: number
  readonly salts: Buffer
}

async function layoutOf(handle: FileHandle, header: Buffer): Promise<Layout> {
  const isBigEndian = header.readUInt32BE(0) === MAGIC + 1
  const pageBytes = header.readUInt32BE(8)
  const sum = walChecksum(header.subarray(0, 24), { isBigEndian, after: [0, 0] })
  const isHeaderIntact = isPageSize(pageBytes) && isEqual(sum, checksumAt(header, 24))
  const firstFrame = await readAt(handle, HEADER_BYTES, FRAME_HEADER_BYTES)
  return {
    isHeaderIntact,
    isBigEndian,
    pageBytes: isPageSize(pageBytes) ? pageBytes : DEFAULT_PAGE_BYTES,
    salts: isHeaderIntact ? header.subarray(16, 24) : firstFrame.subarray(8, 16),
  }
}

type Frame = {
  readonly number: number
  readonly bytes: Buffer
  readonly state: 'intact' | 'bad' | 'of another log'
}

/** A frame is intact or not by the checksum that the frame before it states. */
async function walkFrames(
  handle: FileHandle,
  layout: Layout,
  after: WalChecksum,
  add: (frame: Frame) => void,
): Promise<void> {
  const frameBytes = FRAME_HEADER_BYTES + layout.pageBytes
  let previous = after
  for (let at = HEADER_BYTES, number = 1; ;) {
    const chunk = await readAt(handle, at, frameBytes * CHUNK_FRAMES)
    if (chunk.length < frameBytes) return
    for (let start = 0; start + frameBytes <= chunk.length; start += frameBytes, number += 1) {
      const bytes = chunk.subarray(start, start + frameBytes)
      add({ number, bytes, state: stateOf(bytes, layout, previous) })
      previous = checksumAt(bytes, 16)
    }
    at += chunk.length - (chunk.length % frameBytes)
  }
}

/**
 * Behind the end are zeros, or frames of an earlier log of the same file: each new log begins at the start of the file,
 * with other salts.
 */
function stateOf(frame: Buffer, { isBigEndian, salts }: Layout, previous: WalChecksum): Frame['state'] {
  if (frame.readUInt32BE(0) === 0 || frame.compare(salts, 0, salts.length, 8, 16) !== 0)
    return 'of another log'
  const ofHeader = walChecksum(frame.subarray(0, 8), { isBigEndian, after: previous })
  const whole = walChecksum(frame.subarray(FRAME_HEADER_BYTES), { isBigEndian, after: ofHeader })
  return isEqual(whole, checksumAt(frame, 16)) ? 'intact' : 'bad'
}

function frameCounter(isHeaderIntact: boolean) {
  let frames = 0
  let committedPage: Buffer | undefined
  let nextPage: Buffer | undefined
  let bad: number | undefined = isHeaderIntact ? undefined : 0
  let last = 0
  let lostFrames = 0
  let commits = 0
  let isCutTransaction = false
  return {
    add({ number, bytes, state }: Frame): void {
      last = number
      const isCommit = bytes.readUInt32BE(4) !== 0
      if (bad !== undefined) {
        if (state === 'intact') lostFrames += 1
        if (state === 'intact' && isCommit) commits += 1
      } else if (state !== 'intact') {
        bad = number
        // The next commit belongs to the transaction of the bad frame, which may be the torn last one.
        isCutTransaction = !isCommit || state === 'of another log'
      } else {
        if (bytes.readUInt32BE(0) === 1) nextPage = startOfPage(bytes)
        if (isCommit) {
          frames = number
          committedPage = nextPage
        }
      }
    },
    result: () => ({
      frames,
      firstPage: committedPage,
      bad: bad ?? last + 1,
      lostFrames,
      lostTransactions: commits - (isCutTransaction && commits > 0 ? 1 : 0),
    }),
  }
}

/** A copy: the chunk that it is in is not kept. */
function startOfPage(frame: Buffer): Buffer {
  return Buffer.from(frame.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + PAGE_START_BYTES))
}

function checksumAt(bytes: Buffer, at: number): WalChecksum {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes))
}

/** At most `length` bytes: less at the end of the file. */
async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}
