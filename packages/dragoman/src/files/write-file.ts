import { createHash, type Hash } from 'node:crypto'

import { nanoid } from 'nanoid'

import { stepByStep } from '../async/index.ts'
import { ServiceError } from '../errors.ts'
import { mediaTypeOf } from '../events/index.ts'
import type { FileStore, NewFile, StoredFile } from './file-store.ts'
import type { FileTables } from './tables.ts'

/** A piece of this size is written and read in one turn of the event loop. */
const CHUNK_BYTES = 256 * 1024

export type DatabaseFilesOptions = {
  /** Bytes of one file, at most. */
  readonly maxBytes: number
  /**
   * Counts bytes that are stored now, under a key of their own.
   * @throws ServiceError `storage-full` if the user has no room for so many bytes more
   */
  readonly reserve: (userId: string, key: string, bytes: number) => Promise<void>
  /** Called once the files of a user take more or less. */
  readonly onChange?: (userId: string) => void
}

/** Stores a file whose content is there, unless it is stored already. */
export function createWriter(
  tables: FileTables,
  options: DatabaseFilesOptions,
  show: FileStore['show'],
): FileStore['put'] {
  const receive = createReceiver(tables, options)
  return async (userId, file, threadId) => {
    const { content, ...about } = file
    checkSize(content.byteLength, options.maxBytes)
    const mediaType = mediaTypeOf(content, file.mediaType)
    const hash = await stepByStep(hashInSteps(content))
    const earlier = await findByHash(tables, hashOf(hash, userId, mediaType))
    // It may have been left unused for long: it is about to be shown again.
    if (earlier)
      await tables.updateTable('files').set({ created_at: Date.now() }).where('id', '=', earlier.id).execute()
    const stored = earlier ? toStored(earlier) : await receive(userId, about, [content])
    if (threadId !== undefined) await show(threadId, [stored.id])
    return stored
  }
}

function* hashInSteps(content: Uint8Array): Generator<undefined, Hash, undefined> {
  const hash = createHash('sha256')
  for (let at = 0; at < content.byteLength; at += CHUNK_BYTES) {
    hash.update(content.subarray(at, at + CHUNK_BYTES))
    yield
  }
  return hash
}

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes)
    throw new ServiceError('too-large', `The file is larger than ${maxBytes} bytes (limits.fileBytes).`)
}

async function findByHash(tables: FileTables, hash: string): Promise<Row | undefined> {
  return tables.selectFrom('files').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Writes a file piece by piece. What it has written is deleted if it fails, or if the same file is there already. */
export function createReceiver(
  tables: FileTables,
  { maxBytes, reserve, onChange }: DatabaseFilesOptions,
): (userId: string, file: About, pieces: Pieces) => Promise<StoredFile> {
  return async (userId, { mediaType, filename = null }, pieces) => {
    const id = `file_${nanoid(24)}`
    const about = { id, media_type: mediaType, filename, bytes: 0 }
    const content = createHash('sha256')
    let n = 0
    let hash: string | undefined
    await tables
      .insertInto('files')
      .values({ ...about, user_id: userId, hash: null, created_at: Date.now() })
      .execute()
    try {
      for await (const chunk of chunksOf(pieces)) {
        if (n === 0) about.media_type = mediaTypeOf(chunk, mediaType)
        about.bytes += chunk.byteLength
        checkSize(about.bytes, maxBytes)
        await reserve(userId, `${id}/${n}`, chunk.byteLength)
        await tables.insertInto('file_chunks').values({ file_id: id, n, content: chunk }).execute()
        content.update(chunk)
        n += 1
      }
      hash = hashOf(content, userId, about.media_type)
      await tables
        .updateTable('files')
        .set({ ...about, hash })
        .where('id', '=', id)
        .execute()
      onChange?.(userId)
      return toStored(about)
    } catch (error) {
      await removeFile(tables, id)
      const same = hash === undefined ? undefined : await findByHash(tables, hash)
      if (!same) throw error
      return toStored(same)
    }
  }
}

/** Deletes a file with its content. */
async function removeFile(tables: FileTables, id: string): Promise<void> {
  await tables.deleteFrom('file_chunks').where('file_id', '=', id).execute()
  await tables.deleteFrom('files').where('id', '=', id).execute()
}

/** Whoever has the content of a file of another user learns nothing by sending it. */
function hashOf(content: Hash, userId: string, mediaType: string): string {
  return content.update(JSON.stringify([userId, mediaType])).digest('base64url')
}

type About = Omit<NewFile, 'content'>
type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The content in pieces of one size, whatever the size of those that come. */
async function* chunksOf(pieces: Pieces): AsyncGenerator<Buffer, void> {
  let rest: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.byteLength;) {
      const part = piece.subarray(from, from + CHUNK_BYTES - length)
      rest.push(part)
      length += part.byteLength
      from += part.byteLength
      if (length < CHUNK_BYTES) continue
      yield Buffer.concat(rest)
      rest = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(rest)
}

type Row = {
  readonly id: string
  readonly media_type: string
  readonly filename: string | null
  readonly bytes: number | string
}

export function toStored({ id, media_type: mediaType, filename, bytes }: Row): StoredFile {
  return { id, mediaType, bytes: Number(bytes), ...(filename !== null && { filename }) }
}
