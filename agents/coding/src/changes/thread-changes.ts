import { isAbsolute, relative, resolve, sep } from 'node:path'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { inUserTurn, workOnText } from '../files/text-work.ts'
import type { UnifiedDiff } from '../files/unified-diff.ts'
import { shortPath } from '../workspace/file-error.ts'
import { isWithin } from '../workspace/is-within.ts'
import { looksBinary } from '../workspace/looks-binary.ts'
import { putFile } from '../workspace/put-file.ts'
import { readBytes, type FileBytes } from '../workspace/read-text.ts'
import { removeFile } from '../workspace/remove-file.ts'
import { exists, resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'
import type { FileChange } from './file-change.ts'
import { hashOf, isWritten, type ChangeStore, type RecordedChange } from './change-store.ts'

/** A thread of a user, and the folders in which it works now. */
export type ThreadWorkspace = {
  readonly userId: string
  readonly threadId: string
  readonly workspace: Workspace
}

export type ChangedFile = FileChange & Pick<UnifiedDiff, 'diff' | 'truncated'>
type RevertRequest = {
  readonly path?: string | undefined
  readonly force: boolean
  readonly signal: AbortSignal
}

export interface ThreadChanges {
  list(thread: ThreadWorkspace, signal: AbortSignal): Promise<readonly FileChange[]>
  /** @throws ServiceError `not-found` for a file that the thread has not changed */
  diff(thread: ThreadWorkspace, path: string, signal: AbortSignal): Promise<ChangedFile>
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
      const hash = await hashOf(file?.bytes)
      if (hash === row.original_hash) return undefined
      const original = await store.readOriginal(thread.threadId, row.path)
      const key = `${row.original_hash} ${hash} ${change.path}`
      const difference = await differences(key, () =>
        diffOf(thread.userId, change.path, original, file?.bytes),
      )
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
        const changed = await inUserTurn(thread.userId, signal, () => compare(thread, row))
        if (!changed) continue
        const { diff: _, truncated: __, ...change } = changed
        changes.push(change)
      }
      return changes
    },
    async diff(thread, path, signal) {
      const row = await find(thread, path)
      const changed = await inUserTurn(thread.userId, signal, () => compare(thread, row))
      if (!changed) throw new ServiceError('not-found', `${shortPath(path)} is as it was.`)
      return changed
    },
    async revert(thread, { path, force, signal }) {
      const rows = path === undefined ? await store.list(thread.threadId) : [await find(thread, path)]
      if (!force) await refuseConflicts(workspaces, thread, rows, signal)
      const restored: string[] = []
      for (const row of rows) {
        const act = () => restore({ workspaces, store, thread, row, force })
        const write = () => workspaces.writeQueue(row.path, signal, act)
        if (await inUserTurn(thread.userId, signal, write))
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
  const hash = await hashOf(file?.bytes)
  if (!force && !isOwn(row, hash)) throw conflictError([displayPath(workspace, row.path)])
  if (hash !== row.original_hash) {
    const original = await store.readOriginal(threadId, row.path)
    if (original)
      await putFile(place, original, {
        stamp: file?.stamp,
        mode: row.mode ?? undefined,
        disks: workspaces.disks,
      })
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

async function readCurrent(place: WorkspacePath): Promise<FileBytes | undefined> {
  return (await exists(place.path)) ? readBytes(place) : undefined
}

async function isUnchanged(workspaces: Workspaces, row: RecordedChange): Promise<boolean> {
  const file = await readCurrent(await placeOf(workspaces, row)).catch((error: unknown) => {
    // What can no longer be read as a file was changed by something else.
    if (!isServiceError(error)) throw error
    return null
  })
  return file !== null && isOwn(row, await hashOf(file?.bytes))
}

/** @throws ServiceError `conflict` if something else changed one of the files */
async function refuseConflicts(
  workspaces: Workspaces,
  { userId, workspace }: ThreadWorkspace,
  rows: readonly RecordedChange[],
  signal: AbortSignal,
): Promise<void> {
  const conflicts: string[] = []
  for (const row of rows)
    if (!(await inUserTurn(userId, signal, () => isUnchanged(workspaces, row))))
      conflicts.push(displayPath(workspace, row.path))
  if (conflicts.length > 0) throw conflictError(conflicts)
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
  userId: string,
  path: string,
  before: Uint8Array = new Uint8Array(),
  after: Uint8Array = new Uint8Array(),
): Promise<UnifiedDiff> {
  if (looksBinary(before) || looksBinary(after)) return { ...NO_DIFF, truncated: true }
  const input = { before, after, names: [path, path] as const }
  return workOnText(userId, before.length + after.length, { name: 'compare', input })
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
