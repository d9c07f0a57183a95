import { z } from 'zod'

import type { Json } from 'dragoman/events'
import type { UserData } from 'dragoman/modules'
import { MAX_MEMORIES_PER_USER, type Memories } from '../memories/memory.ts'
import type { Profiles } from '../profile/profile.ts'

type Ports = Pick<UserData, 'merge'> & {
  readonly profiles: Profiles
  readonly memories: Memories
  readonly removeAll: (userId: string) => Promise<unknown>
}

/** The data that the life agent stores about a user: a profile, memories and greetings. */
export function userData({ profiles, memories, removeAll, merge }: Ports): UserData {
  return {
    export: async (userId) => ({
      profile: toJson(await profiles.get(userId)),
      memories: toJson(await memories.list(userId, { limit: MAX_MEMORIES_PER_USER })),
    }),
    merged: mergedShape,
    merge,
    erase: async (userId) => void (await removeAll(userId)),
    timeZone: async (userId) => (await profiles.get(userId)).preferences.zone,
  }
}

/** What became the account's when a guest's data was merged into it. */
const mergedShape = z.object({
  profile: z
    .array(z.string())
    .default([])
    .describe('Fields that the account had not, as `birth` or `preferences.zone`.')
    .meta({ examples: [['birth', 'told.goals']] }),
  memories: z.int().default(0).describe('Those that said what was not remembered of the account.'),
})

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
