import type { Database } from 'dragoman/database'
import type { Memories } from '../memories/memory.ts'
import type { Profiles } from '../profile/profile.ts'
import type { LifeTables } from '../life-tables.ts'

/** How many of each there were. */
export type ErasedCounts = { readonly memories: number; readonly greetings: number }

/** Removes all that the life agent keeps of a user. */
export function createUserDataErasure(
  db: Database,
  profiles: Profiles,
  memories: Memories,
): (userId: string) => Promise<ErasedCounts> {
  return async (userId) => {
    const greetings = db.withTables<LifeTables>().deleteFrom('life_greetings').where('user_id', '=', userId)
    const removed = {
      memories: await memories.removeAll(userId),
      greetings: Number((await greetings.executeTakeFirstOrThrow()).numDeletedRows),
    }
    // What the profile says of memory holds until the last of them is gone.
    await profiles.remove(userId)
    return removed
  }
}
