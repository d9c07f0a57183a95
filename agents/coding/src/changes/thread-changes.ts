import { isAbsolute, relative, resolve, sep } from 'node:path'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { unifiedDiff, type UnifiedDiff } from '../files/unified-diff.ts'
import { decode, detectEncoding } from '../workspace/encoding.ts'
import { shortPath } from '../workspace/file-error.ts'
import { isWithin } from '../workspace/is-within.ts'
import { looksBinary } from '../workspace/looks-binary.ts'
import { putFile } from '../workspace/put-file.ts'
import { readBytes, type TextFile } from '../workspace/read-text.ts'
import { removeFile } from '../workspace/remove-file.ts'
import { exists, resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'
import type { FileChange } from './file-change.ts'
import { hashOf, isWritten, type ChangeStore, type RecordedChange } from './change-store.ts'

/** A thread, and the folders in which it works now. */
export type ThreadWorkspace = { readonly threadId: string; readonly workspace: Workspace }

export type ChangedFile = FileChange & Pick<UnifiedDiff, 'diff' | 'truncated'>
type RevertRequest = {
  readonly path?: string | undefined
  readonly force: boolean
  readonly signal: AbortSignal
}

export interface ThreadChanges {
  list(thread: ThreadWorkspace, signal: AbortSignal): Promise<readonly FileChange[]>
  /** @throws ServiceError `not-found` for a file that the thread has not changed */
  diff(thread: ThreadWorkspace, path: string): Promise<ChangedFile>
  /**
   * Restores a file, or all of them, and returns their paths.
   * @throws ServiceError `not-found`; `conflict` if something else changed one, unless `force`: nothing is reverted
   */
  revert(thread: ThreadWorkspace, request: RevertRequest): Promise<readonly string[]>
}

/** The changes of threads, as the files are now. */
export function createThreadChanges(workspaces: Workspaces, store: ChangeStore): ThreadChanges {
  const differences = createDifferenceCache()
  const compare = async (thread: ThreadWorkspace, row: RecordedChange): Promise<ChangedFile | undefined> => {
    const change = { path: displayPath(thread.workspace, row.path), changedAt: row.changed_at }
    try {
      const file = await readCurrent(await placeOf(workspaces, row))
      const hash = hashOf(file?.bytes)
      if (hash === row.original_hash) return undefined
      const original = await store.readOriginal(thread.threadId, row.path)
      const key = `${row.original_hash} ${hash} ${change.path}`
      const difference = await differences(key, () => diffOf(original, file?.bytes, change.path))
      return { ...change, ...difference, state: stateOf(original, file), changedByOthers: !isOwn(row, hash) }
    } catch (error) {
      if (!isServiceError(error)) throw error
      const problem = error.message
      return { ...change, ...NO_DIFF, state: 'unreadable', changedByOthers: true, problem }
    }
  }
  const find = async (thread: ThreadWorkspace, path: string): Promise<RecordedChange> => {
    const absolute = resolve(thread.workspace.root, path)
    const row = (await store.list(thread.threadId)).find((each) => each.path === absolute)
    if (!row) throw new ServiceError('not-found', `This conversation has not changed ${shortPath(path)}.`)
    return row
  }
  return {
    async list(thread, signal) {
      const changes: FileChange[] = []
      for (const row of await store.list(thread.threadId)) {
        signal.throwIfAborted()
        const changed = await compare(thread, row)
        if (!changed) continue
        const { diff: _, truncated: __, ...change } = changed
        changes.push(change)
      }
      return changes
    },
    async diff(thread, path) {
      const row = await find(thread, path)
      const changed = await compare(thread, row)
      if (!changed) throw new ServiceError('not-found', `${shortPath(path)} is as it was.`)
      return changed
    },
    async revert(thread, { path, force, signal }) {
      const rows = path === undefined ? await store.list(thread.threadId) : [await find(thread, path)]
      const conflicts: string[] = []
      for (const row of force ? [] : rows)
        if (!(await isUnchanged(workspaces, row))) conflicts.push(displayPath(thread.workspace, row.path))
      if (conflicts.length > 0) throw conflictError(conflicts)
      const restored: string[] = []
      for (const row of rows) {
        const act = () => restore({ workspaces, store, thread, row, force })
        if (await workspaces.writeQueue(row.path, signal, act))
          restored.push(displayPath(thread.workspace, row.path))
      }
      return restored
    },
  }
}

/** A panel asks every few seconds, and a comparison may take a tenth of a second. */
const MAX_DIFFERENCES = 200

function createDifferenceCache() {
  const cache = new Map<string, UnifiedDiff>()
  return async (key: string, compute: () => Promise<UnifiedDiff>): Promise<UnifiedDiff> => {
    const existing = cache.get(key)
    if (existing) return existing
    const difference = await compute()
    const [oldest] = cache.keys()
    if (cache.size >= MAX_DIFFERENCES && oldest !== undefined) cache.delete(oldest)
    cache.set(key, difference)
    return difference
  }
}

type Restoration = {
  readonly workspaces: Workspaces
  readonly store: ChangeStore
  readonly thread: ThreadWorkspace
  readonly row: RecordedChange
  readonly force: boolean
}

/** Puts back what stood there before the thread's first change. False if that stands there already. */
async function restore({ workspaces, store, thread, row, force }: Restoration): Promise<boolean> {
  const { threadId, workspace } = thread
  const place = await placeOf(workspaces, row)
  const file = await readCurrent(place)
  const hash = hashOf(file?.bytes)
  if (!force && !isOwn(row, hash)) throw conflictError([displayPath(workspace, row.path)])
  if (hash !== row.original_hash) {
    const original = await store.readOriginal(threadId, row.path)
    if (original) await putFile(place, original, file?.stamp, row.mode ?? undefined)
    else if (file) await removeFile(place, file.stamp)
  }
  await store.forget(threadId, row.path)
  return hash !== row.original_hash
}

/** Its path, by the rules of the tools. @throws ServiceError if its folder is not served, or a link leads elsewhere */
async function placeOf(workspaces: Workspaces, { path, folder }: RecordedChange): Promise<WorkspacePath> {
  const workspace = await workspaces.open({ workspaceRoot: folder })
  const place = await resolveWorkspacePath(workspace, path)
  if (place.path === path) return place
  throw new ServiceError('conflict', `${shortPath(place.displayPath)} is reached by a link now.`)
}

async function readCurrent(place: WorkspacePath): Promise<Pick<TextFile, 'bytes' | 'stamp'> | undefined> {
  return (await exists(place.path)) ? readBytes(place) : undefined
}

async function isUnchanged(workspaces: Workspaces, row: RecordedChange): Promise<boolean> {
  const file = await readCurrent(await placeOf(workspaces, row)).catch((error: unknown) => {
    // What can no longer be read as a file was changed by something else.
    if (!isServiceError(error)) throw error
    return null
  })
  return file !== null && isOwn(row, hashOf(file?.bytes))
}

/** Whether the content is the thread's own work alone, or what it was before. */
function isOwn(row: RecordedChange, hash: string): boolean {
  return hash === row.original_hash || (row.is_mixed === 0 && isWritten(row, hash))
}

function stateOf(original: Uint8Array | undefined, current: object | undefined): FileChange['state'] {
  if (original === undefined) return 'created'
  return current === undefined ? 'deleted' : 'edited'
}

const NO_DIFF = { diff: '', added: 0, removed: 0, truncated: false }

async function diffOf(
  original: Uint8Array = new Uint8Array(),
  current: Uint8Array = new Uint8Array(),
  path: string,
): Promise<UnifiedDiff> {
  if (looksBinary(original) || looksBinary(current)) return { ...NO_DIFF, truncated: true }
  const [before, after] = [original, current].map((bytes) => decode(bytes, detectEncoding(bytes)))
  return unifiedDiff(before ?? '', after ?? '', [path, path])
}

function displayPath({ root }: Workspace, path: string): string {
  return isWithin(root, path) && isAbsolute(path) ? relative(root, path).split(sep).join('/') : path
}

function conflictError(paths: readonly string[]): ServiceError {
  const names = paths.map(shortPath)
  return new ServiceError(
    'conflict',
    `Something else has changed ${names.join(', ')} as well, so nothing was reverted. Set force to revert it anyway.`,
    {
      details: { paths },
      translations: {
        zh: `${names.join('、')} 还被其他操作改动过，所以没有还原。要强行还原，请设置 force。`,
      },
    },
  )
}
