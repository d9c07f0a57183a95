import { z } from 'zod'

import { isServiceError, ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import type { FileStore } from '../files/index.ts'
import type { Store } from '../log/index.ts'
import type { AgentModule } from '../modules/index.ts'
import type { Quota } from '../access/quota/index.ts'
import type { ThreadServices } from '../threads/index.ts'
import type { GuestClaims } from '../access/users/index.ts'

export type GuestUpgradePorts = Pick<ThreadServices, 'ownership'> & {
  readonly claims: GuestClaims
  readonly files: Pick<FileStore, 'transfer'>
  readonly store: Store
  readonly quotas: Pick<Quota, 'catchUp'>
  readonly modules: readonly Pick<AgentModule, 'userData'>[]
}

/** What the account received: the results of the agents' merges, and the number of conversations. */
export type GuestUpgradeResult = { readonly [field: string]: Json }

/** The schema of `GuestUpgradeResult`, for the API's description. */
export function guestUpgradeSchema(modules: GuestUpgradePorts['modules']): z.ZodObject {
  const shapes = modules.flatMap(({ userData }) => (userData ? [userData.merged.shape] : []))
  return z.object({
    ...(Object.assign({}, ...shapes) as z.core.$ZodShape),
    conversations: z.int().default(0),
  })
}

/**
 * Transfers everything of a guest to an account. Each part has its own transaction: a request that was cut off can be
 * sent again and transfers the rest. Runs come first, because only they can refuse.
 * @throws ServiceError `thread-busy`, `conflict`
 */
export function createGuestUpgrade({ claims, store, quotas, modules, ownership, files }: GuestUpgradePorts) {
  return async (guest: string, userId: string): Promise<GuestUpgradeResult> => {
    const state = await claims.begin(guest, userId)
    if (state === 'taken') throw ownedByOtherAccount()
    if (state === 'forgotten') return guestUpgradeSchema(modules).parse({}) as GuestUpgradeResult
    // Usage of the guest stays counted for the guest, including runs that are not counted yet.
    await quotas.catchUp(guest)
    await store.adopt(guest, userId).catch(async (error: unknown) => {
      if (state === 'begun') await claims.cancel(guest)
      throw isServiceError(error, 'thread-busy') ? guestIsBusy(error) : error
    })
    const merged: Record<string, Json> = {}
    for (const { userData } of modules) Object.assign(merged, await userData?.merge(guest, userId))
    await files.transfer(guest, userId)
    const conversations = await ownership.transfer(guest, userId)
    await claims.complete(guest)
    return { ...merged, conversations }
  }
}

function ownedByOtherAccount(): ServiceError {
  return new ServiceError('conflict', 'This guest has become another account’s already.', {
    translations: { zh: '这位访客的内容已经归到另一个账号了。' },
  })
}

function guestIsBusy({ details }: ServiceError): ServiceError {
  return new ServiceError(
    'thread-busy',
    'The guest is still being answered: wait until that has ended, or stop it as the guest, and ask again.',
    { details, translations: { zh: '这位访客还有回答没有结束：请等它结束，或以访客身份停止它，然后再试。' } },
  )
}
