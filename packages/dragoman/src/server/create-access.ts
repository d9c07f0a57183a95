import { guestUpgradeSchema, createGuestUpgrade } from './upgrade-guest.ts'
import type { TrustedClock } from './trusted-clock.ts'
import { needsToken, type Config } from '../config/config.ts'
import type { Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import { isGuest } from '../events/index.ts'
import { expireGuests } from './expire-guests.ts'
import type { Store } from '../log/index.ts'
import type { AgentModule } from '../modules/index.ts'
import { createQuota, type Quota } from '../access/quota/index.ts'
import { rateLimit, type Starting } from '../runs/index.ts'
import type { ThreadServices } from '../threads/index.ts'
import { createReaderRegistry, type ReaderRegistry } from './fan-out/index.ts'
import { createTrustedProxies, type CallerRules, type Authenticate } from './http/index.ts'
import {
  createGuestClaims,
  type GuestClaims,
  createGuests,
  LOCAL_USER,
  createTokens,
  createGuestVisits,
  watchTokens,
} from '../access/users/index.ts'

/** Paths of the server that guests may use, besides those of the agents that admit guests. */
const GUEST_PATHS = ['/api/v1/guest/claim', '/v1/quota', '/v1/usage']

/**
 * Messages per minute that the server answers without a model, of one user or of all guests of one address. Far more
 * than a person writes.
 */
const MAX_ANSWERS_PER_MINUTE = 120

type Ports = Pick<ThreadServices, 'ownership' | 'deletion'> & {
  readonly db: Database
  readonly store: Store
  readonly modules: readonly Pick<AgentModule, 'agent' | 'guests' | 'skillsUsed' | 'userData'>[]
  readonly auth?: Authenticate | undefined
}

/**
 * Creates authentication, guests, quotas and rate limits.
 * @throws ServiceError `invalid-request` for a wrong configuration
 */
export function createAccess(config: Config, { db, store, modules, ownership, deletion, auth }: Ports) {
  const tokenStore = createTokens(db)
  const readerRegistry = createReaderRegistry(config.readers)
  /** Without required tokens, every caller is the one user of this machine. */
  const local = needsToken(config) || auth ? undefined : LOCAL_USER
  const guestClaims = createGuestClaims(db)
  const guestVisits = createGuestVisits(db)
  /** Also needed where guests are disabled now: data of earlier guests can still be claimed. */
  const allGuests = createGuests(
    config.home,
    async (guest) => !(await guestClaims.isComplete(guest)) && guestVisits.record(guest),
  )
  const enabledGuests = config.guests ? allGuests : undefined
  const addressOf = (userId: string): string | undefined =>
    isGuest(userId) ? (enabledGuests?.addressOf(userId) ?? '') : undefined
  const quotas = createQuotas(config, { db, store, modules }, addressOf)
  const proxies = createTrustedProxies(config.trustedProxies)
  const verify: CallerRules['verify'] = async (secret) => {
    const token = await tokenStore.verify(secret)
    return token && { userId: token.userId, token }
  }
  const guests = enabledGuests && { isAllowed: guestPathCheck(modules), admit: enabledGuests.admit }
  const { hosts } = config
  const callerRules: CallerRules = { local, hosts, proxies, verify, authenticate: auth, guests }
  const { tokenIds: readerTokenIds, disconnect } = readerRegistry
  const retention = { ...config, visits: guestVisits, store, quotas, modules, deletion }
  return {
    callerRules,
    readerRegistry,
    quotas,
    guestClaimOptions: {
      findGuest: allGuests.findByCookie,
      isEncrypted: proxies.isEncrypted,
      clearingCookie: allGuests.clearingCookie,
      claim: createGuestUpgrade({ claims: guestClaims, store, quotas, modules, ownership }),
      resultSchema: guestUpgradeSchema(modules),
    },
    checkStart: createStartCheck(config, { guestClaims, readerRegistry, quotas, addressOf, modules }),
    checkThreadRate: rateLimit(config.rateLimit, LOCAL_USER, 'conversations'),
    onNotStarted: quotas.release,
    watchTokens: (signal: AbortSignal, report: Report) =>
      watchTokens({ tokens: tokenStore, readerTokenIds, disconnect, report }, signal),
    expireGuests: (isTrusted: TrustedClock['isTrusted'], signal: AbortSignal, report: Report) =>
      expireGuests({ ...retention, isTrusted }, signal, report),
    /** @throws ServiceError `invalid-request` if no caller could authenticate */
    async requireCaller() {
      if (local !== undefined || auth || config.guests || (await tokenStore.list()).length > 0) return
      throw noCallerError(config)
    },
  }
}

type Report = (error: unknown) => void

function createQuotas(
  config: Config,
  { db, store, modules }: Pick<Ports, 'db' | 'store' | 'modules'>,
  addressOf: (userId: string) => string | undefined,
): Quota {
  return createQuota({
    db,
    store,
    section: config.sections.quotas,
    agents: modules.map(({ agent }) => agent.id),
    owner: LOCAL_USER,
    addressOf,
    zoneOf: timeZoneLookup(modules),
    skillsUsed: (id) => modules.find(({ agent }) => agent.id === id)?.skillsUsed,
  })
}

/** Whether a guest may use a path: a listed path or one below it. */
function guestPathCheck(modules: Ports['modules']): (path: string) => boolean {
  const paths = [...GUEST_PATHS, ...modules.flatMap(({ guests: access }) => access?.paths ?? [])]
  return (path) => paths.some((each) => path === each || path.startsWith(`${each}/`))
}

type StartCheckPorts = Pick<Ports, 'modules'> & {
  readonly guestClaims: GuestClaims
  readonly readerRegistry: ReaderRegistry
  readonly quotas: Pick<Quota, 'reserve'>
  readonly addressOf: (userId: string) => string | undefined
}

/**
 * Refuses a run that its user may not start now. A run that the server answers without a model is refused only in a
 * flood.
 */
function createStartCheck({ rateLimit: perMinute }: Config, ports: StartCheckPorts) {
  const { guestClaims, readerRegistry, quotas, addressOf, modules } = ports
  const guestAgents = modules.flatMap(({ agent, guests: access }) => (access ? [agent.id] : []))
  const limit = rateLimit(perMinute, LOCAL_USER)
  const floodLimit = rateLimit(MAX_ANSWERS_PER_MINUTE, LOCAL_USER)
  return async (starting: Starting): Promise<void> => {
    const { userId } = starting
    if (isGuest(userId)) await checkGuestStart(starting, guestClaims, guestAgents)
    readerRegistry.checkRoom(userId)
    if (starting.isAnswered) return floodLimit(addressOf(userId) || userId)
    await limit(userId)
    await quotas.reserve(starting)
  }
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

/** The user's time zone according to the first agent that knows it. */
function timeZoneLookup(modules: Ports['modules']) {
  return async (userId: string): Promise<string | undefined> => {
    for (const { userData } of modules) {
      const zone = await userData?.timeZone?.(userId)
      if (zone !== undefined) return zone
    }
    return undefined
  }
}

/** Of one who would refuse everybody. */
function noCallerError(config: Config): ServiceError {
  return new ServiceError(
    'invalid-request',
    'Every caller would need a token, and there is none. Make one first: dragoman token create ' +
      `--name NAME --home ${config.home}`,
  )
}
