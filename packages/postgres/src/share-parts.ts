import { setTimeout as wait } from 'node:timers/promises'

import type { SharedWork } from 'dragoman/cluster'

import { isConnectionError } from './client/connection-errors.ts'
import type { Session } from './client/session.ts'
import { PART_LOCKS } from './store/schema.ts'

/** How often a node looks whether the numbers are divided as they should be. */
const INTERVAL_MS = 1000

/** The second number of a lock: a hash of the name, and a part of it or `MEMBER`, which each node holds with others. */
const MEMBER = 255
const KEY = '((hashtext($1) & 2147483392) | number)'
const LOCKS = `
SELECT (objid::bigint & 255)::integer AS number, pid = pg_backend_pid() AS "isMine" FROM pg_locks
WHERE locktype = 'advisory' AND granted AND classid = ${PART_LOCKS} AND objsubid = 2
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND objid::bigint & 2147483392 = hashtext($1) & 2147483392`
const JOIN = `SELECT pg_try_advisory_lock_shared(${PART_LOCKS}, ${KEY}) FROM (SELECT ${MEMBER} AS number) member`
const LEAVE = `SELECT pg_advisory_unlock_shared(${PART_LOCKS}, ${KEY}) FROM (SELECT ${MEMBER} AS number) member`
const TAKE = `
SELECT number FROM unnest($2::integer[]) AS number WHERE pg_try_advisory_lock(${PART_LOCKS}, ${KEY})`
const GIVE = `SELECT pg_advisory_unlock(${PART_LOCKS}, ${KEY}) FROM unnest($2::integer[]) AS number`

export type Sharing = { readonly name: string; readonly parts: number; readonly work: SharedWork }

/** What this node holds, and what of it others should have. */
type Division = { readonly mine: readonly number[]; readonly surplus: readonly number[] }
type Lock = { readonly number: number; readonly isMine: boolean }

/** See `Cluster.share`. The locks of the session say who has which number, so a node that is gone has none. */
export async function shareParts(session: Session, sharing: Sharing, signal: AbortSignal): Promise<void> {
  const worker = createWorker(sharing.work)
  try {
    while (!signal.aborted) {
      const connection = session.connectionSignal()
      const { mine, surplus } = await divide(session, sharing)
      await worker.change(mine, AbortSignal.any([signal, connection]))
      if (surplus.length > 0) await ask(session, GIVE, sharing.name, surplus)
      await wait(INTERVAL_MS, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    await worker.stop()
    await giveAll(session, sharing.name)
  }
}

/** Without this, a node that closes would hold its numbers until its connection ends. */
async function giveAll(session: Session, name: string): Promise<void> {
  const numbers = (await readLocks(session, name)).flatMap(({ number, isMine }) => (isMine ? [number] : []))
  const parts = numbers.filter((number) => number !== MEMBER)
  await ask(session, GIVE, name, parts)
  if (parts.length < numbers.length) await ask(session, LEAVE, name)
}

async function divide(session: Session, { name, parts }: Sharing): Promise<Division> {
  const locks = await readLocks(session, name)
  const isMember = locks.some(({ number, isMine }) => number === MEMBER && isMine)
  if (!isMember) await ask(session, JOIN, name)
  const members = locks.filter(({ number }) => number === MEMBER).length + (isMember ? 0 : 1)
  const share = Math.ceil(parts / members)
  const mine = locks.filter(({ number, isMine }) => isMine && number < parts).map(({ number }) => number)
  const held = new Set(locks.map(({ number }) => number))
  const free = Array.from({ length: parts }, (_, number) => number).filter((number) => !held.has(number))
  const missing = free.slice(0, Math.max(0, share - mine.length))
  const added = missing.length > 0 ? await ask(session, TAKE, name, missing) : []
  const all = [...mine, ...added.map(({ number }) => number)].toSorted((a, b) => a - b)
  return { mine: all.slice(0, share), surplus: all.slice(share) }
}

function readLocks(session: Session, name: string): Promise<Lock[]> {
  return ask(session, LOCKS, name)
}

/** Nothing while the session is away: then its locks are gone, too. */
async function ask(session: Session, statement: string, ...values: readonly unknown[]): Promise<Lock[]> {
  try {
    return await session.query<Lock>(statement, values)
  } catch (error) {
    if (isConnectionError(error)) return []
    throw error
  }
}

/** Does the work with the present numbers. */
function createWorker(work: SharedWork) {
  let numbers = ''
  let ending = AbortSignal.abort()
  let end = (): void => undefined
  let running: Promise<void> = Promise.resolve()
  const stop = async (): Promise<void> => {
    end()
    await running.catch(() => undefined)
  }
  return {
    /** Ends the work with the earlier numbers, and begins with these. @throws the error of the work so far */
    async change(mine: readonly number[], signal: AbortSignal): Promise<void> {
      const isSame = mine.join() === numbers && !ending.aborted
      if (isSame) return
      end()
      await running
      const own = new AbortController()
      numbers = mine.join()
      ending = AbortSignal.any([signal, own.signal])
      end = () => own.abort()
      running = mine.length > 0 && !ending.aborted ? work(mine, ending) : Promise.resolve()
      // Work that fails is over. The next look at the numbers throws its error.
      running.catch(end)
    },
    stop,
  }
}
