import type { Capability } from './agent/index.ts'
import { claiming } from './claiming.ts'
import { needsToken, type Config } from './config.ts'
import type { Database } from './db/index.ts'
import { ServiceError } from './errors.ts'
import { isGuest } from './events/index.ts'
import { expiry } from './expiry.ts'
import type { Store } from './log/index.ts'
import { quota } from './quota/index.ts'
import { rateLimit, type Starting } from './runs/index.ts'
import type { Talk } from './threads/index.ts'
import { audience, type Admission } from './transports/index.ts'
import { claims, type Claims, guests, LOCAL_USER, tokens, visits, watchTokens } from './users/index.ts'

/** The agent that is there for those who have no account, and under which paths it and what it keeps for them are found. */
const GUESTS_AGENT = 'life'
const GUESTS_PATHS =
  /^\/(?:api\/v1\/chat\/v5|api\/v1\/guest\/claim|api(?:\/v1)?\/fortune|life\/(?:profile|memories|export|everything)|v1\/(?:quota|usage))(?:\/|$)/

type Ports = Pick<Talk, 'adoption' | 'leaving'> & {
  readonly db: Database
  readonly store: Store
  readonly capabilities: readonly Pick<Capability, 'agent' | 'zoneOf' | 'adopt' | 'forget'>[]
}

/** Who may call, and how much. @throws ServiceError `invalid-request` for what is configured wrongly */
export function usersOf(config: Config, { db, store, capabilities, adoption, leaving }: Ports) {
  const kept = tokens(db)
  const present = audience(config.readers)
  const limit = rateLimit(config.rateLimit, LOCAL_USER)
  /** Whoever can call without a token is the one user of this machine. */
  const local = needsToken(config) ? undefined : LOCAL_USER
  const claimed = claims(db)
  const visited = visits(db)
  /** Where there are none now there may have been some: what was theirs can be claimed all the same. */
  const known = guests(
    config.home,
    async (guest) => !(await claimed.isComplete(guest)) && visited.note(guest),
  )
  const strangers = config.guests ? known : undefined
  const quotas = quota({
    db,
    store,
    section: config.sections.quotas,
    agents: capabilities.map(({ agent }) => agent.id),
    owner: LOCAL_USER,
    addressOf: (userId) => (isGuest(userId) ? (strangers?.addressOf(userId) ?? '') : undefined),
    zoneOf: zonesOf(capabilities),
  })
  const admission: Admission = {
    local,
    hosts: config.hosts,
    async verify(secret) {
      const token = await kept.verify(secret)
      return token && { userId: token.userId, token }
    },
    guests: strangers && { isOpen: (path) => GUESTS_PATHS.test(path), enter: strangers.enter },
  }
  return {
    admission,
    audience: present,
    quotas,
    visitors: {
      guestOf: known.of,
      forgetting: known.forgetting,
      claim: claiming({ claims: claimed, store, quotas, capabilities, adoption }),
    },
    async mayStart(starting: Starting) {
      const { userId } = starting
      if (isGuest(userId)) await mayStartAsGuest(starting, claimed)
      present.check(userId)
      await limit(userId)
      await quotas.reserve(starting)
    },
    notStarted: quotas.giveBack,
    keepWatch: (signal: AbortSignal, report: (error: unknown) => void) =>
      watchTokens({ tokens: kept, readBy: present.tokens, dismiss: present.dismiss, report }, signal),
    forgetGuests: (signal: AbortSignal, report: (error: unknown) => void) =>
      expiry({ ...config, visits: visited, store, quotas, capabilities, leaving }, signal, report),
    /** @throws ServiceError `invalid-request` where every caller would be refused */
    async someCanCall() {
      if (local !== undefined || config.guests || (await kept.list()).length > 0) return
      throw nobodyCanCall(config)
    },
  }
}

async function mayStartAsGuest({ userId, agent }: Starting, { isBegun }: Claims): Promise<void> {
  if (agent !== GUESTS_AGENT)
    throw new ServiceError('forbidden', `Guests may talk to the agent ${GUESTS_AGENT} alone.`)
  // What was let in a moment before: its run would be left behind.
  if (await isBegun(userId))
    throw new ServiceError('conflict', 'This guest becomes an account’s: ask with the account’s token.')
}

/** A user's days begin where the first capability that knows says that they live. */
function zonesOf(capabilities: Ports['capabilities']) {
  return async (userId: string): Promise<string | undefined> => {
    for (const { zoneOf } of capabilities) {
      const zone = await zoneOf?.(userId)
      if (zone !== undefined) return zone
    }
    return undefined
  }
}

/** Of one who would refuse everybody. */
export function nobodyCanCall(config: Config): ServiceError {
  return new ServiceError(
    'invalid-request',
    `Every caller would need a token, and there is none. Make one first: dragoman token create --name NAME --home ${config.home}`,
  )
}
