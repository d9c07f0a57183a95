import { openWorkerSession, type WorkerSession } from 'dragoman/isolate'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { FolderRequest } from './folder-worker.ts'
import { readFolder, type FolderRead, type SkillFolder } from './read-folder.ts'

/** The time limit for one folder of the home, once the thread is ready. */
const WITHIN_MS = 2000

export type ReadFolders = (
  found: readonly SkillFolder[],
  own: ReadonlySet<string>,
) => Promise<readonly FolderRead[]>

type Thread = WorkerSession<FolderRequest, FolderRead>

/**
 * Reads skill folders. A worker thread reads the folders of the home and ends with the last one. A folder that takes
 * too long is left out and delays no other. The folders of the agent itself need no thread.
 */
export function readFolders(withinMs: number = WITHIN_MS): ReadFolders {
  return async (found, own) => {
    const read: FolderRead[] = []
    let thread: Thread | undefined
    try {
      for (const folder of found) {
        if (folder.from === 'dragoman') {
          read.push(await readFolder(folder, own))
          continue
        }
        thread ??= newThread()
        const one = await readInWorker(thread, { folder, own }, withinMs)
        if (one === undefined) thread = undefined
        read.push(one ?? { notes: ['it takes too long to read'] })
      }
      return read
    } finally {
      thread?.[Symbol.dispose]()
    }
  }
}

/** Nothing of a folder that takes too much time or memory: the thread has ended then. */
async function readInWorker(
  thread: Thread,
  request: FolderRequest,
  withinMs: number,
): Promise<FolderRead | undefined> {
  try {
    return await thread.ask(request, withinMs)
  } catch (error) {
    thread[Symbol.dispose]()
    if (isServiceError(error, 'timed-out')) return undefined
    throw error
  }
}

function newThread(): Thread {
  const tooMuch = (): ServiceError => new ServiceError('timed-out', 'A skill takes too long to read.')
  const limits = {
    module: new URL('./folder-worker', import.meta.url),
    limits: { megabytes: 128 },
    refusals: { slow: tooMuch, large: tooMuch },
  }
  return openWorkerSession(limits, new AbortController().signal)
}
