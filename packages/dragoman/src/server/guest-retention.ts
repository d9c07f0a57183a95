import type { Migration } from '../database/index.ts'
import { pause, type Store } from '../log/index.ts'
import type { AgentModule } from '../modules/index.ts'
import type { Quota } from '../access/quota/index.ts'
import type { Talk } from '../threads/index.ts'
import type { AbsentGuest, GuestVisits } from '../access/users/index.ts'

/** How often it looks whether there is somebody to forget, in ms. */
const PASS_INTERVAL_MS = 3_600_000
/** Between two conversations, and two guests, in ms: streams go on meanwhile. */
const YIELD_MS = 20
/** For so many the index of words is written anew once. */
const MAX_GUESTS_PER_BATCH = 100
const DAY_MS = 86_400_000

export type GuestRetentionOptions = Pick<Talk, 'leaving'> & {
  readonly visits: GuestVisits
  readonly store: Store
  readonly quotas: Pick<Quota, 'catchUp' | 'forget'>
  readonly modules: readonly Pick<AgentModule, 'userData'>[]
  /** Whether guests may be forgotten by the time that the clock shows. */
  readonly isTrusted: () => Promise<boolean>
  /** Guests are forgotten so many days after they have last come; 0: never. */
  readonly keepGuests: number
}

/**
 * Forgets guests who have not come for too long, at once and then every hour, until `signal` aborts. Each step may be done again: of one who
 * was cut off in the middle, by a kill too, the next pass takes away the rest.
 */
export async function expireGuests(
  ports: GuestRetentionOptions,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  if (ports.keepGuests === 0) return
  for (; !signal.aborted; await pause(PASS_INTERVAL_MS, signal)) {
    await expireAbsentGuests({ ...ports, signal, report }).catch(report)
  }
}

type PassOptions = GuestRetentionOptions & {
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
}

async function expireAbsentGuests(ports: PassOptions): Promise<void> {
  const { visits, leaving, quotas, keepGuests, isTrusted, signal, report } = ports
  if (!(await isTrusted())) return
  const since = Date.now() - keepGuests * DAY_MS
  for (let after: AbsentGuest | undefined; !signal.aborted;) {
    const batch = await visits.listAbsent(since, { after, limit: MAX_GUESTS_PER_BATCH })
    after = batch.at(-1)
    if (!after) return
    // What is counted later than its rows are removed would stay.
    await quotas.catchUp()
    const removals: GuestRemoval[] = []
    for (const { guest } of batch) {
      // One who cannot be forgotten must not keep the others here.
      const removal = await removeGuest(guest, since, ports).catch(report)
      if (removal) removals.push(removal)
      await pause(YIELD_MS, signal)
      if (signal.aborted) return
    }
    const removedGuests = removals.flatMap(({ guest }) => guest ?? [])
    if (removedGuests.length > 0 || removals.some(({ conversations }) => conversations > 0))
      await leaving.forgetWords()
    if (removedGuests.length > 0) await visits.endRemoval(removedGuests)
  }
}

/** How many conversations were removed, and of whom nothing is left but words that are marked as deleted. */
type GuestRemoval = { readonly conversations: number; readonly guest?: string }

const NOTHING_REMOVED: GuestRemoval = { conversations: 0 }

async function removeGuest(
  guest: string,
  since: number,
  { visits, store, leaving, modules, quotas, signal }: PassOptions,
): Promise<GuestRemoval> {
  for (const id of await leaving.conversationsOf(guest)) {
    if ((await store.list(id, { live: true, limit: 1 })).length > 0) return NOTHING_REMOVED
  }
  // Nobody has begun a run since then: they would have come.
  if (!(await visits.beginRemoval(guest, since))) return NOTHING_REMOVED
  // Asked again: what has become an account's just before is not the guest's any more.
  const conversations = await leaving.conversationsOf(guest)
  for (const id of conversations) {
    if (signal.aborted) return NOTHING_REMOVED
    // The runs first: a conversation that is still there is found again by whoever goes on.
    await store.remove(id)
    await leaving.remove(id)
    await pause(YIELD_MS, signal)
  }
  for (const { userData } of modules) await userData?.erase(guest)
  const isAll = await quotas.forget(guest)
  return { conversations: conversations.length, ...(isAll && { guest }) }
}

/** The last visits of guests who came before visits were recorded: their newest change. */
export const guestRetentionMigrations: readonly Migration[] = [
  {
    name: 'expiry-1-earlier-guests',
    statements: [
      `INSERT OR IGNORE INTO guest_visits (guest_id, last_at)
      SELECT user_id, max(at) FROM (
        SELECT user_id, updated_at AS at FROM conversations
        UNION ALL SELECT user_id, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') FROM usage_runs
      ) WHERE user_id GLOB 'guest_*' GROUP BY user_id`,
    ],
  },
]
