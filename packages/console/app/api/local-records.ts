import { currentUser } from './session.ts'

const DATABASE = 'dragoman'
const STORE = 'records'
/** What was left for so long is removed. In ms. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

type Kind = 'outgoing' | 'files'
type Key = [user: string, kind: Kind, name: string]
type Row = { readonly value: unknown; readonly at: number }

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= result(() => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
    return request
  })
  return opening
}

function result<T>(start: () => IDBRequest<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const request = start()
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error(DATABASE)))
  return promise
}

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open()
  return result(() => act(database.transaction(STORE, mode).objectStore(STORE)))
}

/** A browser may have no room, or keep nothing: then what is written lives as long as the page. */
async function tryTo(act: () => Promise<unknown>): Promise<void> {
  await act().catch(() => undefined)
}

/** Keeps a value in this browser for the user of the page. */
export function keepRecord(kind: Kind, name: string, value: unknown): Promise<void> {
  const key: Key = [currentUser(), kind, name]
  const row: Row = { value, at: Date.now() }
  return tryTo(() => inStore('readwrite', (store) => store.put(row, key)))
}

export function removeRecord(kind: Kind, name: string): Promise<void> {
  const key: Key = [currentUser(), kind, name]
  return tryTo(() => inStore('readwrite', (store) => store.delete(key)))
}

export async function loadRecord<T>(kind: Kind, name: string): Promise<T | undefined> {
  const key: Key = [currentUser(), kind, name]
  let row: Row | undefined
  await tryTo(async () => {
    row = (await inStore('readonly', (store) => store.get(key))) as Row | undefined
  })
  return row?.value as T | undefined
}

/** All values of a kind, by name. */
export async function loadRecords<T>(kind: Kind): Promise<ReadonlyMap<string, T>> {
  const ofKind = IDBKeyRange.bound([currentUser(), kind], [currentUser(), kind, []])
  const values = new Map<string, T>()
  await tryTo(async () => {
    const keys = (await inStore('readonly', (store) => store.getAllKeys(ofKind))) as Key[]
    const rows = (await inStore('readonly', (store) => store.getAll(ofKind))) as Row[]
    for (const [index, [, , name]] of keys.entries()) values.set(name, rows[index]?.value as T)
  })
  return values
}

/** Removes all that is kept for the user of the page. */
export function removeAllRecords(): Promise<void> {
  const ofUser = IDBKeyRange.bound([currentUser()], [currentUser(), []])
  return tryTo(() => inStore('readwrite', (store) => store.delete(ofUser)))
}

/** Removes what users of this browser have left long ago. */
export function removeOldRecords(): Promise<void> {
  return tryTo(async () => {
    for (const key of await inStore('readonly', (store) => store.getAllKeys())) {
      const { at } = (await inStore('readonly', (store) => store.get(key))) as Row
      if (Date.now() - at > MAX_AGE_MS) await inStore('readwrite', (store) => store.delete(key))
    }
  })
}
