import { readServerKeys } from '../access/users/index.ts'
import type { Config } from '../config/config.ts'
import { databaseSignIns } from '../mcp/sign-in/sign-in-store.ts'
import type { SealKeys } from '../sealing/index.ts'
import { createThreadServices } from '../threads/index.ts'
import { createConversationErasure } from './conversation-erasure.ts'
import { createFiles } from './create-files.ts'
import type { DeferredAgentServices } from './deferred-agent-services.ts'
import { createGuestAccess } from './guest-access.ts'
import type { Stores } from './open-stores.ts'
import { createUserStorage } from './user-storage.ts'

type ConversationPorts = {
  readonly stores: Stores
  readonly registry: Pick<DeferredAgentServices, 'forget' | 'titleLength'>
}

/** Creates what stores conversations, within the limits of their users. */
export function createConversations(config: Config, { stores, registry }: ConversationPorts) {
  const { store, db } = stores
  const guestAccess = createGuestAccess(config, stores)
  const userStorage = createUserStorage(config, { ...stores, addressOf: guestAccess.addressOf })
  const threadServices = createThreadServices(db, store, {
    titles: config.titles,
    titleLength: registry.titleLength,
    maxRunBytes: config.limits.bytesPerRun,
    storage: userStorage.forThreads,
    changes: stores.changes,
  })
  const files = createFiles(config, stores, userStorage)
  const signIns = databaseSignIns(db, createKeyReader(config, db))
  const erasure = createConversationErasure({
    ...threadServices,
    db,
    store,
    signIns,
    forget: registry.forget,
  })
  return { guestAccess, userStorage, threadServices, erasure, files, signIns }
}

/** Reads the keys for sign-ins once, when the first is kept. */
function createKeyReader({ home, env }: Config, db: Stores['db']): () => Promise<SealKeys> {
  let keys: SealKeys | undefined
  return async () => (keys ??= await readServerKeys({ name: 'mcp-key', home, db, env }))
}
