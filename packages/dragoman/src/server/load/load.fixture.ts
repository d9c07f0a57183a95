import { isServiceError } from '../../errors.ts'
import { createLoadAccount, type LoadAccount } from './load-account.ts'
import { toLoadLimits, type LoadSettings, type LoadKind, type LoadPool } from './load-limits.ts'

export const MIB: number = 1024 * 1024

/** Few places, so that a test can take them all. */
const SETTINGS: LoadSettings = {
  connectionsPerUser: 8,
  connections: 12,
  connectionsPerAddress: 3,
  connectionsWithoutUser: 5,
  requestsPerUser: 3,
  requests: 8,
  requestsPerAddress: 2,
  requestsWithoutUser: 3,
  bytesInFlight: 100 * MIB,
  bytesPerAddress: 2 * MIB,
  bytesWithoutUser: 3 * MIB,
  newSocketsPerAddress: 2,
  newSockets: 3,
  waitingPerUser: 4,
  waiting: 8,
  runsPerUser: 2,
  runs: 4,
  runBytesPerUser: 10 * MIB,
  runBytes: 20 * MIB,
  expensiveReadsPerUser: 2,
  expensiveReads: 3,
  downloadsPerUser: 2,
  downloads: 3,
}

/** Places enough for everything that a test does, except for `settings`. */
export function createRoomyLoad(settings: Partial<LoadSettings> = {}): LoadAccount {
  const roomy = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, 1e9]))
  return createLoadAccount({
    limits: toLoadLimits({ ...SETTINGS, ...roomy, ...settings }, 0),
    bytesPerSecond: Infinity,
    local: 'local',
  })
}

export const LIMITS = toLoadLimits(SETTINGS, 4)

/** An account with few places. The last letter of a guest is their address. */
export function createSmallLoad(): LoadAccount {
  return createLoadAccount({
    limits: LIMITS,
    bytesPerSecond: 1000,
    local: 'local',
    addressOf: (guest) => guest.slice(-1),
  })
}

export function usedOf(account: LoadAccount, kind: LoadKind, pool: LoadPool = 'users'): number | undefined {
  return account.totals().find((total) => total.kind === kind && total.pool === pool)?.used
}

/** The code with which something is refused. */
export function refusalOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
  return undefined
}
