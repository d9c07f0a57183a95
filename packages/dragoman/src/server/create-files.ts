import type { Config } from '../config/config.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { isDetached } from '../events/index.ts'
import { databaseFiles, type FileStore } from '../files/index.ts'
import { pause } from '../log/index.ts'
import type { RunFiles } from '../runs/index.ts'
import type { SafeFetch } from '../safe-fetch/index.ts'
import type { ThreadServices } from '../threads/index.ts'
import type { Stores } from './open-stores.ts'
import type { UserStorage } from './user-storage.ts'

const SWEEP_INTERVAL_MS = 60_000
/** How long an upload waits for the message that shows it. */
const UNUSED_MS = 24 * 3_600_000

/** Creates the store of users' files. What it holds counts as stored by its user. */
export function createFiles(
  config: Config,
  { db }: Pick<Stores, 'db'>,
  { reserve, forAgents }: Pick<UserStorage, 'reserve' | 'forAgents'>,
): FileStore {
  return databaseFiles(db, {
    maxBytes: config.limits.fileBytes,
    reserve,
    onChange: forAgents.changed,
  })
}

/** The files of runs. One that is shown nowhere yet, as by a detached run, is kept for a day. */
export function createRunFiles(files: FileStore, { download }: Pick<SafeFetch, 'download'>): RunFiles {
  return {
    async save({ userId, threadId }, file) {
      const isShown = threadId !== undefined && !isDetached({ threadId })
      return files.put(userId, file, isShown ? threadId : undefined)
    },
    find: async (userId, id) =>
      files.get(userId, id).catch((error: unknown) => {
        if (isServiceError(error, 'not-found')) return undefined
        throw error
      }),
    show: files.show,
    async read(userId, id, maxBytes) {
      const { bytes } = await files.get(userId, id)
      if (bytes > maxBytes)
        throw new ServiceError(
          'too-large',
          'It is left out: with it, the files of this conversation are too large.',
        )
      const pieces: Uint8Array[] = []
      for await (const piece of files.read(id)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
    async fetch(address, options) {
      const url = URL.parse(address)
      if (!url) throw new ServiceError('invalid-request', 'This is no web address.')
      return download(url, options)
    },
  }
}

/** Deletes the files of deleted conversations, until `signal` aborts. */
export async function sweepFiles(
  files: FileStore,
  threads: Pick<ThreadServices['deletion'], 'findGone'>,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  for (; !signal.aborted; await pause(SWEEP_INTERVAL_MS, signal))
    await files.sweep(threads.findGone, UNUSED_MS).catch(report)
}
