import { randomUUID } from 'node:crypto'

import {
  createStorage,
  createStorageMeter,
  type Storage,
  type StorageMeter,
  type StorageStatus,
} from '../access/storage/index.ts'
import type { AgentStorage } from '../agents/index.ts'
import { enforceRateLimit, type Cluster } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/index.ts'
import type { FileStore } from '../files/index.ts'
import { isGuest, LOCAL_USER } from '../events/index.ts'
import type { Storing } from '../runs/index.ts'
import type { AgentModule } from '../modules/index.ts'
import type { ThreadServices, ThreadStorage } from '../threads/index.ts'

const WINDOW_MS = 60_000
/** What agents store may come from a model first. */
const MAX_WRITE_MS = 3_600_000
const CONVERSATIONS = 'conversations'
const CHANGES = 'changes of conversations'
const IMPORTED_MESSAGES = 'imported messages'

/** What users create and store, on every way: over each protocol, by forks, imports, tools and agents' routes. */
export type UserStorage = Pick<Storage, 'forget' | 'requireRoom' | 'reserve'> & {
  readonly forThreads: ThreadStorage
  readonly forAgents: AgentStorage
  /** Called before a run is stored. @throws ServiceError `rate-limited`, `storage-full` */
  readonly mayStore: (storing: Storing) => Promise<void>
  readonly status: (userId: string) => Promise<StorageStatus>
  /** Measures what agents store, and corrects the counts. */
  readonly createMeter: (
    modules: readonly Pick<AgentModule, 'agent' | 'storedBytes'>[],
    recount: ThreadServices['recount'],
    files: Pick<FileStore, 'bytesOf'>,
  ) => StorageMeter
}

type UserStoragePorts = {
  readonly db: Database
  readonly cluster: Cluster
  /** The address that pays for a guest. Undefined for other users. */
  readonly addressOf: (userId: string) => string | undefined
}

export function createUserStorage(config: Config, { db, cluster, addressOf }: UserStoragePorts): UserStorage {
  const storage = createStorage(db, (userId) => storageLimit(config, userId))
  const touched = new Map<string, string[]>()
  const touch = (userId: string, ...keys: string[]): void => {
    touched.set(userId, [...(touched.get(userId) ?? []), ...keys])
  }
  const limitRate = async (userId: string, what: string, count: number): Promise<void> => {
    if (userId === LOCAL_USER || count === 0) return
    const max = creationLimit(config, what, isGuest(userId))
    const limit = { name: `new ${what}`, max, windowMs: WINDOW_MS, refusal: refusalOf(max, what) }
    await enforceRateLimit(cluster, limit, addressOf(userId) || userId, count)
  }
  return {
    createMeter(modules, recount, files) {
      const parts = modules.flatMap(({ agent, storedBytes }) =>
        storedBytes ? [[agent.id, storedBytes] as const] : [],
      )
      return createStorageMeter({
        db,
        storage,
        touched,
        parts: new Map([...parts, ['files', files.bytesOf]]),
        recount,
      })
    },
    forget: storage.forget,
    requireRoom: storage.requireRoom,
    reserve: storage.reserve,
    status: storage.status,
    forThreads: {
      ...storage,
      async mayCreate(userId, bytes) {
        await limitRate(userId, CONVERSATIONS, 1)
        await storage.requireRoom(userId, bytes)
      },
      mayChange: (userId) => limitRate(userId, CHANGES, 1),
    },
    forAgents: {
      async mayCreate(userId, what, count = 1) {
        await limitRate(userId, what, count)
        await storage.requireRoom(userId)
      },
      async grow(userId, bytes, store) {
        const key = randomUUID()
        if (bytes > 0) await storage.reserve(userId, key, bytes, MAX_WRITE_MS)
        try {
          return await store()
        } finally {
          touch(userId, key)
        }
      },
      changed: touch,
    },
    async mayStore({ userId, runId, turns, bytes, forMs }) {
      await limitRate(userId, IMPORTED_MESSAGES, turns)
      await storage.reserve(userId, runId, bytes, forMs)
    },
  }
}

function refusalOf(max: number, what: string): (seconds: number) => string {
  return (seconds) => `You may create ${max} ${what} a minute: try again in ${seconds} seconds.`
}

/** The bytes that a user may store. The user of this machine may store any number. */
function storageLimit({ limits }: Config, userId: string): number | undefined {
  if (isGuest(userId)) return limits.guestStorageBytes
  return userId === LOCAL_USER ? undefined : limits.storageBytes
}

/** So many a minute; 0: any number. */
function creationLimit({ limits, rateLimit }: Config, what: string, isOfGuest: boolean): number {
  switch (what) {
    case CONVERSATIONS:
      return isOfGuest && rateLimit > 0 ? Math.min(rateLimit, limits.guestConversationsPerMinute) : rateLimit
    case IMPORTED_MESSAGES:
      return isOfGuest ? limits.guestImportedMessagesPerMinute : limits.importedMessagesPerMinute
    default:
      return isOfGuest ? limits.guestCreationsPerMinute : limits.creationsPerMinute
  }
}
