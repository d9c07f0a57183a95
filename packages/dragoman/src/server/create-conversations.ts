import type { Config } from '../config/config.ts'
import { createThreadServices } from '../threads/index.ts'
import { createConversationErasure } from './conversation-erasure.ts'
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
  })
  const erasure = createConversationErasure({ ...threadServices, db, store, forget: registry.forget })
  return { guestAccess, userStorage, threadServices, erasure }
}
