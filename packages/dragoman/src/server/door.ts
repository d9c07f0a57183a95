import { claimedShape, claiming } from './claiming.ts'
import type { Clock } from './clock.ts'
import { needsToken, type Config } from '../config/config.ts'
import type { Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import { isGuest } from '../events/index.ts'
import { expiry } from './expiry.ts'
import type { Store } from '../log/index.ts'
import type { AgentModule } from '../modules/index.ts'
import { quota, type Quota } from '../access/quota/index.ts'
import { rateLimit, type Starting } from '../runs/index.ts'
import type { Talk } from '../threads/index.ts'
import { audience, type Audience } from './fan-out/index.ts'
import { proxies, type Admission, type Authenticate } from './http/index.ts'
import {
  claims,
  type Claims,
  guests,
  LOCAL_USER,
  tokens,
  visits,
  watchTokens,
} from '../access/users/index.ts'

/** The server's own paths that guests may use, besides those of the agents that admit them. */
const GUEST_PATHS = ['/api/v1/guest/claim', '/v1/quota', '/v1/usage']

/**
 * Messages in one minute that the server answers itself, of one user, or of all guests of one address: far more than
 * people write.
 */
const MAX_ANSWERS_PER_MINUTE = 120

type Ports = Pick<Talk, 'adoption' | 'leaving'> & {
  readonly db: Database
  readonly store: Store
  readonly modules: readonly Pick<AgentModule, 'agent' | 'guests' | 'skillsUsed' | 'userData'>[]
  readonly auth?: Authenticate | undefined
}

/** Who may call, and how much. @throws ServiceError `invalid-request` for what is configured wrongly */
export function usersOf(config: Config, { db, store, modules, adoption, leaving, auth }: Ports) {
  const kept = tokens(db)
  const present = audience(config.readers)
  /** Whoever can call without a token is the one user of this machine. */
  const local = needsToken(config) || auth ? undefined : LOCAL_USER
  const claimed = claims(db)
  const visited = visits(db)
  /** Where there are none now there may have been some: what was theirs can be claimed all the same. */
  const known = guests(
    config.home,
    async (guest) => !(await claimed.isComplete(guest)) && visited.note(guest),
  )
  const strangers = config.guests ? known : undefined
  const addressOf = (userId: string): string | undefined =>
    isGuest(userId) ? (strangers?.addressOf(userId) ?? '') : undefined
  const quotas = quota({
    db,
    store,
    section: config.sections.quotas,
    agents: modules.map(({ agent }) => agent.id),
    owner: LOCAL_USER,
    addressOf,
    zoneOf: zonesOf(modules),
    skillsUsed: (id) => modules.find(({ agent }) => agent.id === id)?.skillsUsed,
  })
  const trusted = proxies(config.trustedProxies)
  const verify: Admission['verify'] = async (secret) => {
    const token = await kept.verify(secret)
    return token && { userId: token.userId, token }
  }
  const open = strangers && { isOpen: openToGuests(modules), enter: strangers.enter }
  const { hosts } = config
  const admission: Admission = { local, hosts, proxies: trusted, verify, authenticate: auth, guests: open }
  return {
    admission,
    audience: present,
    quotas,
    visitors: {
      guestOf: known.of,
      isEncrypted: trusted.isEncrypted,
      forgetting: known.forgetting,
      claim: claiming({ claims: claimed, store, quotas, modules, adoption }),
      claimed: claimedShape(modules),
    },
    mayStart: starter(config, { claimed, present, quotas, addressOf, modules }),
    mayOpen: rateLimit(config.rateLimit, LOCAL_USER, 'conversations'),
    notStarted: quotas.giveBack,
    keepWatch: (signal: AbortSignal, report: (error: unknown) => void) =>
      watchTokens({ tokens: kept, readBy: present.tokens, dismiss: present.dismiss, report }, signal),
    forgetGuests: (isTrusted: Clock['isTrusted'], signal: AbortSignal, report: (error: unknown) => void) =>
      expiry({ ...config, visits: visited, store, quotas, modules, leaving, isTrusted }, signal, report),
    /** @throws ServiceError `invalid-request` where every caller would be refused */
    async someCanCall() {
      if (local !== undefined || auth || config.guests || (await kept.list()).length > 0) return
      throw nobodyCanCall(config)
    },
  }
}

/** Whether a guest may use a path: each of these, and everything below it. */
function openToGuests(modules: Ports['modules']): (path: string) => boolean {
  const open = [...GUEST_PATHS, ...modules.flatMap(({ guests: access }) => access?.paths ?? [])]
  return (path) => open.some((each) => path === each || path.startsWith(`${each}/`))
}

type StarterPorts = Pick<Ports, 'modules'> & {
  readonly claimed: Claims
  readonly present: Audience
  readonly quotas: Pick<Quota, 'reserve'>
  readonly addressOf: (userId: string) => string | undefined
}

/** Refuses a run that its user may not start now. One that the server answers itself is refused only in a flood. */
function starter({ rateLimit: perMinute }: Config, ports: StarterPorts) {
  const { claimed, present, quotas, addressOf, modules } = ports
  const forGuests = modules.flatMap(({ agent, guests: access }) => (access ? [agent.id] : []))
  const limit = rateLimit(perMinute, LOCAL_USER)
  const floods = rateLimit(MAX_ANSWERS_PER_MINUTE, LOCAL_USER)
  return async (starting: Starting): Promise<void> => {
    const { userId } = starting
    if (isGuest(userId)) await mayStartAsGuest(starting, claimed, forGuests)
    present.check(userId)
    if (starting.isAnswered) return floods(addressOf(userId) || userId)
    await limit(userId)
    await quotas.reserve(starting)
  }
}

async function mayStartAsGuest(
  { userId, agent }: Starting,
  { isBegun }: Claims,
  forGuests: readonly string[],
): Promise<void> {
  if (!forGuests.includes(agent))
    throw new ServiceError('forbidden', `Guests may talk to the agent ${forGuests.join(', ')} alone.`)
  // What was let in a moment before: its run would be left behind.
  if (await isBegun(userId))
    throw new ServiceError('conflict', 'This guest becomes an account’s: ask with the account’s token.')
}

/** A user's days begin where the first capability that knows says that they live. */
function zonesOf(modules: Ports['modules']) {
  return async (userId: string): Promise<string | undefined> => {
    for (const { userData } of modules) {
      const zone = await userData?.timeZone?.(userId)
      if (zone !== undefined) return zone
    }
    return undefined
  }
}

/** Of one who would refuse everybody. */
function nobodyCanCall(config: Config): ServiceError {
  return new ServiceError(
    'invalid-request',
    `Every caller would need a token, and there is none. Make one first: dragoman token create --name NAME --home ${config.home}`,
  )
}
