/** What callers make the server hold. Byte kinds count bytes, the others count things. */
export type LoadKind =
  /** Network connections. */
  | 'connections'
  /** Requests in progress. A streamed answer no longer counts once it has started. */
  | 'requests'
  /** Streamed answers that are open. */
  | 'readers'
  /** Connections of WebSocket and Socket.IO. */
  | 'sockets'
  /** Bytes of bodies, frames and messages that are being read or used. */
  | 'bytesRead'
  /** Bytes of answers that the client has not taken. */
  | 'bytesUnsent'
  /** Requests and messages that wait behind others of their connection. */
  | 'waitingMessages'
  /** Runs that are driven. */
  | 'runs'
  /** Bytes of the logs of those runs. */
  | 'runBytes'
  /** Reads of whole threads at once: search, export, history, snapshots. */
  | 'expensiveReads'
  /** Downloads from addresses that users name. */
  | 'downloads'

/** Kinds that share one limit have one budget. */
export type LoadBudget = Exclude<LoadKind, 'sockets' | 'bytesRead' | 'bytesUnsent'> | 'bytes'

export const BUDGETS: Readonly<Record<LoadKind, LoadBudget>> = {
  connections: 'connections',
  requests: 'requests',
  readers: 'readers',
  sockets: 'readers',
  bytesRead: 'bytes',
  bytesUnsent: 'bytes',
  waitingMessages: 'waitingMessages',
  runs: 'runs',
  runBytes: 'runBytes',
  expensiveReads: 'expensiveReads',
  downloads: 'downloads',
}

export const LOAD_KINDS = Object.keys(BUDGETS) as readonly LoadKind[]

/** Those who share places: users, guests by their address, and callers without a user by their address. */
export const LOAD_POOLS = ['users', 'guests', 'addresses'] as const
export type LoadPool = (typeof LOAD_POOLS)[number]

/** The most that one share and all shares of a pool may hold. */
export type PoolLimit = { readonly each: number; readonly all: number }
export type LoadLimits = Readonly<Record<LoadPool, Readonly<Record<LoadBudget, PoolLimit>>>>

/** The settings of `limits` in `config.yaml` that the account of load uses. */
export type LoadSettings = {
  readonly connectionsPerUser: number
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly connectionsWithoutUser: number
  readonly requestsPerUser: number
  readonly requests: number
  readonly requestsPerAddress: number
  readonly requestsWithoutUser: number
  readonly bytesInFlight: number
  readonly bytesPerAddress: number
  readonly bytesWithoutUser: number
  readonly newSocketsPerAddress: number
  readonly newSockets: number
  readonly waitingPerUser: number
  readonly waiting: number
  readonly runsPerUser: number
  readonly runs: number
  readonly runBytesPerUser: number
  readonly runBytes: number
  readonly expensiveReadsPerUser: number
  readonly expensiveReads: number
  readonly downloadsPerUser: number
  readonly downloads: number
}

/** One user may hold at most this share of the bytes. */
const USER_BYTES_SHARE = 1 / 4
/** A body of the largest allowed size always has room. */
const MIN_USER_BYTES = 48 * 1024 * 1024
/** All guests together may hold this share of what all users may. */
const GUESTS_SHARE = 1 / 2
const NONE: PoolLimit = { each: 0, all: 0 }

/** `readers`: open answers and sockets of one user; 0 means no limit. */
export function toLoadLimits(settings: LoadSettings, readers: number): LoadLimits {
  const limit = (each: number, all: number): PoolLimit => ({ each: Math.min(each, all), all })
  const readerLimit = readers === 0 ? Infinity : readers
  const bytes = settings.bytesInFlight
  const users = {
    connections: limit(settings.connectionsPerUser, settings.connections),
    requests: limit(settings.requestsPerUser, settings.requests),
    readers: limit(readerLimit, Infinity),
    bytes: limit(Math.max(bytes * USER_BYTES_SHARE, MIN_USER_BYTES), bytes),
    waitingMessages: limit(settings.waitingPerUser, settings.waiting),
    runs: limit(settings.runsPerUser, settings.runs),
    runBytes: limit(settings.runBytesPerUser, settings.runBytes),
    expensiveReads: limit(settings.expensiveReadsPerUser, settings.expensiveReads),
    downloads: limit(settings.downloadsPerUser, settings.downloads),
  }
  const guests = Object.entries(users).map(([budget, { each, all }]) => [
    budget,
    limit(each, Math.ceil(all * GUESTS_SHARE)),
  ])
  return {
    users,
    guests: Object.fromEntries(guests) as LoadLimits['guests'],
    addresses: {
      connections: limit(settings.connectionsPerAddress, settings.connectionsWithoutUser),
      requests: limit(settings.requestsPerAddress, settings.requestsWithoutUser),
      readers: limit(settings.newSocketsPerAddress, settings.newSockets),
      bytes: limit(settings.bytesPerAddress, settings.bytesWithoutUser),
      waitingMessages: limit(settings.waitingPerUser, settings.waiting),
      runs: NONE,
      runBytes: NONE,
      expensiveReads: NONE,
      downloads: NONE,
    },
  }
}
