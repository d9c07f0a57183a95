import type { Migration } from '../database/index.ts'
import { pause, type Store } from '../log/index.ts'
import type { AgentModule } from '../modules/index.ts'
import type { Quota } from '../access/quota/index.ts'
import type { UserStorage } from './user-storage.ts'
import type { ThreadServices } from '../threads/index.ts'
import type { AbsentGuest, GuestVisits } from '../access/users/index.ts'

const PASS_INTERVAL_MS = 3_600_000
/** Pause between two conversations or guests, so that streams continue meanwhile. */
const YIELD_MS = 20
/** The full-text index is rebuilt once for this many guests. */
const MAX_GUESTS_PER_BATCH = 100
const DAY_MS = 86_400_000

export type ExpireGuestsOptions = Pick<ThreadServices, 'deletion'> & {
  readonly visits: GuestVisits
  readonly store: Store
  readonly quotas: Pick<Quota, 'catchUpAll' | 'forget'>
  readonly userStorage: Pick<UserStorage, 'forget'>
  readonly modules: readonly Pick<AgentModule, 'userData'>[]
  /** Whether the clock may be used to expire guests. */
  readonly isTrusted: () => Promise<boolean>
  /** Guests are removed this many days after their last visit; 0 means never. */
  readonly keepGuests: number
}

/**
 * Removes guests who have been absent for too long, at once and then every hour, until `signal` aborts. Each step can
 * be repeated: the next pass removes what an interrupted pass left.
 */
export async function expireGuests(
  ports: ExpireGuestsOptions,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  if (ports.keepGuests === 0) return
  for (; !signal.aborted; await pause(PASS_INTERVAL_MS, signal)) {
    await expireAbsentGuests({ ...ports, signal, report }).catch(report)
  }
}

type PassOptions = ExpireGuestsOptions & {
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
}

async function expireAbsentGuests(ports: PassOptions): Promise<void> {
  const { visits, deletion, quotas, keepGuests, isTrusted, signal, report } = ports
  if (!(await isTrusted())) return
  const since = Date.now() - keepGuests * DAY_MS
  for (let after: AbsentGuest | undefined; !signal.aborted;) {
    const batch = await visits.listAbsent(since, { after, limit: MAX_GUESTS_PER_BATCH })
    after = batch.at(-1)
    if (!after) return
    // Usage that is counted after its rows are removed would stay.
    await quotas.catchUpAll()
    const removals: GuestRemoval[] = []
    for (const { guest } of batch) {
      // A guest who cannot be removed must not keep the others.
      const removal = await removeGuest(guest, since, ports).catch(report)
      if (removal) removals.push(removal)
      await pause(YIELD_MS, signal)
      if (signal.aborted) return
    }
    const removedGuests = removals.flatMap(({ guest }) => guest ?? [])
    if (removedGuests.length > 0 || removals.some(({ conversations }) => conversations > 0))
      await deletion.purgeIndex()
    if (removedGuests.length > 0) await visits.endRemoval(removedGuests)
  }
}

/** The number of removed conversations, and the guest if nothing is left but rows of the word index. */
type GuestRemoval = { readonly conversations: number; readonly guest?: string }

const NOTHING_REMOVED: GuestRemoval = { conversations: 0 }

async function removeGuest(
  guest: string,
  since: number,
  { visits, store, deletion, modules, quotas, userStorage, signal }: PassOptions,
): Promise<GuestRemoval> {
  for (const id of await deletion.listThreadIds(guest)) {
    if ((await store.list(id, { live: true, limit: 1 })).length > 0) return NOTHING_REMOVED
  }
  // No run has started since then: it would have recorded a visit.
  if (!(await visits.beginRemoval(guest, since))) return NOTHING_REMOVED
  // Read again: conversations that an account has claimed meanwhile are no longer the guest's.
  const conversations = await deletion.listThreadIds(guest)
  for (const id of conversations) {
    if (signal.aborted) return NOTHING_REMOVED
    // Runs go first: a conversation that still exists is found again by the next pass.
    await store.remove(id)
    await deletion.remove(id)
    await pause(YIELD_MS, signal)
  }
  for (const { userData } of modules) await userData?.erase(guest)
  await userStorage.forget(guest)
  const isAll = await quotas.forget(guest)
  return { conversations: conversations.length, ...(isAll && { guest }) }
}

/** Initial visits of guests from before visits were recorded: the time of their latest change. */
export const guestRetentionMigrations: readonly Migration[] = [
  {
    name: 'expiry-1-earlier-guests',
    statements: [
      // No version without visits ran on PostgreSQL.
      {
        sqlite: [
          `INSERT OR IGNORE INTO guest_visits (guest_id, last_at)
      SELECT user_id, max(at) FROM (
        SELECT user_id, updated_at AS at FROM conversations
        UNION ALL SELECT user_id, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') FROM usage_runs
      ) WHERE user_id GLOB 'guest_*' GROUP BY user_id`,
        ],
        postgres: [],
      },
    ],
  },
]
