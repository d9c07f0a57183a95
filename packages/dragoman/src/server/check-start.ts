import { enforceRateLimit, type Cluster } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors.ts'
import { LOCAL_USER, isGuest } from '../events/index.ts'
import type { AgentModule } from '../modules/index.ts'
import type { Quota } from '../access/quota/index.ts'
import type { GuestClaims } from '../access/users/index.ts'
import type { Starting } from '../runs/index.ts'
import type { LoadAccount } from './load/index.ts'

/**
 * Messages per minute that the server answers without a model, of one user or of all guests of one address. Far more
 * than a person writes.
 */
const MAX_ANSWERS_PER_MINUTE = 120

/** So many of these a minute may one user start; 0: any number. The user of this machine may start any number. */
function createUserLimit(cluster: Cluster, what: string, max: number): (userId: string) => Promise<void> {
  const refusal = (seconds: number): string =>
    `${max} ${what} a minute may be started: try again in ${seconds} seconds.`
  const limit = { name: what, max, windowMs: 60_000, refusal }
  return async (userId) => (userId === LOCAL_USER ? undefined : enforceRateLimit(cluster, limit, userId))
}

export type StartCheckPorts = {
  readonly cluster: Cluster
  readonly modules: readonly Pick<AgentModule, 'agent' | 'guests'>[]
  readonly guestClaims: GuestClaims
  readonly load: LoadAccount
  readonly quotas: Pick<Quota, 'reserve' | 'charge'>
  /** @throws ServiceError `storage-full` */
  readonly requireRoom: (userId: string) => Promise<void>
  readonly addressOf: (userId: string) => string | undefined
}

/**
 * Refuses a run that its user may not start now. A run that the server answers without a model is refused only in a
 * flood.
 */
export function createStartChecks({ rateLimit: perMinute }: Config, ports: StartCheckPorts) {
  const { cluster, guestClaims, load, quotas, requireRoom, addressOf, modules } = ports
  const guestAgents = modules.flatMap(({ agent, guests: access }) => (access ? [agent.id] : []))
  const limit = createUserLimit(cluster, 'runs', perMinute)
  const floodLimit = createUserLimit(cluster, 'messages', MAX_ANSWERS_PER_MINUTE)
  const checkStart = async (starting: Starting): Promise<void> => {
    const { userId } = starting
    if (isGuest(userId)) await checkGuestStart(starting, guestClaims, guestAgents)
    const share = load.share({ userId })
    share.requireRoom('readers')
    share.requireRoom('runs')
    // A new guest of the same address has no new limit.
    const payer = addressOf(userId) || userId
    if (starting.isAnswered) return floodLimit(payer)
    await limit(payer)
    await requireRoom(userId)
    await quotas.reserve(starting)
  }
  /** Has a user ask a model outside of runs. Each question counts as the start of a run. */
  const chargeCall: Quota['charge'] = async (payer, ask) => {
    await limit(addressOf(payer.userId) || payer.userId)
    return quotas.charge(payer, ask)
  }
  return { checkStart, chargeCall }
}

async function checkGuestStart(
  { userId, agent }: Starting,
  { isBegun }: GuestClaims,
  guestAgents: readonly string[],
): Promise<void> {
  if (!guestAgents.includes(agent))
    throw new ServiceError('forbidden', `Guests may talk to the agent ${guestAgents.join(', ')} alone.`)
  // A run that starts during the upgrade would be left behind.
  if (await isBegun(userId))
    throw new ServiceError('conflict', 'This guest becomes an account’s: ask with the account’s token.')
}
