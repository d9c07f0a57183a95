import { guestUpgradeSchema, createGuestUpgrade } from './upgrade-guest.ts'
import type { TrustedClock } from './trusted-clock.ts'
import { needsToken, type Config } from '../config/config.ts'
import type { Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import { LOCAL_USER } from '../events/index.ts'
import { expireGuests } from './expire-guests.ts'
import type { FileStore } from '../files/index.ts'
import type { Store } from '../log/index.ts'
import type { AgentModule } from '../modules/index.ts'
import { createQuota, usageByUser, type Quota } from '../access/quota/index.ts'
import type { Cluster } from '../cluster/index.ts'
import { createStartChecks } from './check-start.ts'
import type { GuestAccess as ServerGuestAccess } from './guest-access.ts'
import type { UserStorage } from './user-storage.ts'
import type { ThreadServices } from '../threads/index.ts'
import { createModelAccess } from './model-access.ts'
import type { Models } from '../models/index.ts'
import { fitRunLimits } from './create-run-load.ts'
import { createLoadAccount, toLoadLimits } from './load/index.ts'
import { createTrustedProxies, type CallerRules, type Authenticate, type GuestAccess } from './http/index.ts'
import { createCredentials } from './credentials.ts'

/** Paths of the server that guests may use, besides those of the agents that admit guests. */
const GUEST_PATHS = ['/api/v1/guest/claim', '/v1/quota', '/v1/usage']
/** What the console needs of `/v1` to show guests the agents that admit them, and their own threads. */
const RETURNING_GUEST_PATHS = [
  /^\/auth\/verify$/,
  /^\/v1\/(?:agents|events|questions|runs|search)$/,
  /^\/v1\/threads(?:\/[^/]+(?:\/(?:messages|runs|stop|export))?)?$/,
  /^\/v1\/runs\/[^/]+(?:\/(?:events|answers|stop))?$/,
]

type Ports = Pick<ThreadServices, 'ownership' | 'deletion'> & {
  readonly db: Database
  readonly store: Store
  readonly cluster: Cluster
  readonly models: Models
  readonly modules: readonly Pick<AgentModule, 'agent' | 'guests' | 'skillsUsed' | 'userData'>[]
  readonly auth?: Authenticate | undefined
  readonly guestAccess: ServerGuestAccess
  readonly userStorage: UserStorage
  readonly files: Pick<FileStore, 'transfer'>
}

/**
 * Creates authentication, guests, quotas, rate limits and the models that users may run.
 * @throws ServiceError `invalid-request` for a wrong configuration
 */
export function createAccess(config: Config, ports: Ports) {
  const { db, store, cluster, models, modules, ownership, deletion, auth, guestAccess, userStorage, files } =
    ports
  const { tokens, sessions, pairings, watch, ...verification } = createCredentials(db)
  /** Without required tokens, every caller is the one user of this machine. */
  const local = needsToken(config) || auth ? undefined : LOCAL_USER
  const { guestClaims, guestVisits, allGuests, addressOf } = guestAccess
  const enabledGuests = config.guests ? allGuests : undefined
  const quotas = createQuotas(config, { db, store, modules }, addressOf)
  const load = createLoadAccount({
    limits: toLoadLimits(fitRunLimits(config.limits), config.readers),
    bytesPerSecond: config.limits.bytesPerSecond,
    local,
    addressOf,
  })
  const proxies = createTrustedProxies(config.trustedProxies)
  const guests = enabledGuests && { ...enabledGuests, accessTo: guestPathCheck(modules) }
  const rules = { local, hosts: config.hosts, proxies, ...verification, guests }
  const callerRules: CallerRules = { ...rules, authenticate: auth }
  const retention = { ...config, visits: guestVisits, store, quotas, modules, deletion, userStorage }
  return {
    callerRules,
    load,
    quotas,
    modelAccess: createModelAccess({ models, modules, sections: config.sections }),
    tokens,
    sessions,
    pairings,
    usageByUser: (options: Parameters<typeof usageByUser>[1]) => usageByUser(db, options),
    guestClaimOptions: {
      findGuest: allGuests.findByCookie,
      isEncrypted: proxies.isEncrypted,
      clearingCookies: allGuests.clearingCookies,
      claim: createGuestUpgrade({ claims: guestClaims, store, quotas, modules, ownership, files }),
      resultSchema: guestUpgradeSchema(modules),
    },
    ...createStartChecks(config, {
      cluster,
      guestClaims,
      load,
      quotas,
      requireRoom: userStorage.requireRoom,
      addressOf,
      modules,
    }),
    storageStatus: userStorage.status,
    onNotStarted: quotas.release,
    watchTokens: (signal: AbortSignal, report: Report) =>
      watch({ credentialIds: load.tokenIds, disconnect: load.endToken, report }, signal),
    expireGuests: (isTrusted: TrustedClock['isTrusted'], signal: AbortSignal, report: Report) =>
      expireGuests({ ...retention, isTrusted }, signal, report),
    /** @throws ServiceError `invalid-request` if no caller could authenticate */
    async requireCaller() {
      if (local !== undefined || auth || config.guests || (await tokens.list()).length > 0) return
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

/** How a guest may use a path: a listed path or one below it. */
function guestPathCheck(modules: Ports['modules']): GuestAccess['accessTo'] {
  const paths = [...GUEST_PATHS, ...modules.flatMap(({ guests: access }) => access?.paths ?? [])]
  return (path) => {
    if (paths.some((each) => path === each || path.startsWith(`${each}/`))) return 'open'
    return RETURNING_GUEST_PATHS.some((each) => each.test(path)) ? 'returning' : undefined
  }
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
