import type { Database } from '../../database/index.ts'
import { pause } from '../../log/index.ts'
import type { Storage } from './storage.ts'
import { storageTables } from './tables.ts'

/** What was touched is measured after this time, once for all that is stored until then. */
const TOUCH_INTERVAL_MS = 2000
const CORRECTION_INTERVAL_MS = 24 * 3_600_000
const CHECK_INTERVAL_MS = 600_000
/** Pause between two users, so that requests continue meanwhile. */
const YIELD_MS = 20
const PAGE_USERS = 100

/** Measures what agents store of users, and corrects all counts once a day. */
export interface StorageMeter {
  /** Measures what agents store of the users in `touched`, until `signal` aborts. */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
  /** Corrects the counts of all users if that is due, until `signal` aborts. One process does so. */
  correct(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

export type StorageMeterPorts = {
  readonly db: Database
  readonly storage: Storage
  /** Users of whom agents of this process have stored or deleted something, and what was reserved for it. */
  readonly touched: Map<string, readonly string[]>
  /** By agent id, measures what it stores of a user, in bytes. */
  readonly parts: ReadonlyMap<string, (userId: string) => Promise<number>>
  readonly recount: {
    /** Users with conversations, in ascending order after one. */
    users(after: string, limit: number): Promise<readonly string[]>
    /** Corrects what is counted of a user's conversations. */
    conversations(userId: string): Promise<void>
  }
}

export function createStorageMeter(ports: StorageMeterPorts): StorageMeter {
  const { storage, parts, touched } = ports
  const measure = async (userId: string): Promise<void> => {
    for (const [part, bytesOf] of parts) await storage.set(userId, part, await bytesOf(userId))
  }
  const correctUser = async (userId: string): Promise<void> => {
    await ports.recount.conversations(userId)
    await measure(userId)
  }
  return {
    async keepUp(signal, report) {
      for (; !signal.aborted; await pause(TOUCH_INTERVAL_MS, signal)) {
        const users = [...touched]
        touched.clear()
        for (const [userId, reserved] of users) {
          await measure(userId).catch(report)
          for (const key of reserved) storage.settle(userId, key)
        }
      }
    },
    async correct(signal, report) {
      for (; !signal.aborted; await pause(CHECK_INTERVAL_MS, signal))
        await correctIfDue(ports, (userId) => correctUser(userId).catch(report), signal).catch(report)
    },
  }
}

async function correctIfDue(
  { db, recount }: StorageMeterPorts,
  correctUser: (userId: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const tables = storageTables(db)
  const last = await tables.selectFrom('storage_corrections').select('at').executeTakeFirst()
  if (last && Number(last.at) > Date.now() - CORRECTION_INTERVAL_MS) return
  for (let after = ''; ;) {
    const users = await recount.users(after, PAGE_USERS)
    for (const userId of users) {
      if (signal.aborted) return
      await correctUser(userId)
      await pause(YIELD_MS, signal)
    }
    const next = users.at(-1)
    if (next === undefined) break
    after = next
  }
  const row = { id: 1, at: Date.now() }
  await tables
    .insertInto('storage_corrections')
    .values(row)
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute()
}
