import { Socket } from 'node:net'

import {
  Client,
  DatabaseError,
  Pool,
  types as pgTypes,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
} from 'pg'

/** A connection attempt fails after this time. */
const CONNECT_TIMEOUT_MS = 5000
/** A statement whose answer does not come within this time counts as lost: its connection is closed. */
const QUERY_TIMEOUT_MS = 10_000
const KEEP_ALIVE_DELAY_MS = 2000
const IDLE_TIMEOUT_MS = 60_000

/** A transaction that says nothing for so long is rolled back: others wait for what it has locked. */
const IDLE_TRANSACTION_MS = 5000

/**
 * A server that asks no one keeps the connections of a host that is gone for hours, and what their transactions have
 * locked. Here it waits no longer than a statement: a shorter loss of the network ends no connection. The host of a
 * frozen process answers for it, so such a process loses its transaction only.
 * https://www.postgresql.org/docs/current/runtime-config-connection.html
 * https://www.postgresql.org/docs/current/runtime-config-client.html
 */
const SETTINGS = `SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1;
  SET tcp_user_timeout = ${QUERY_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`

/** The types `int8` and `numeric`. https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700])

/** Counts, times and sums come as numbers. None of ours is beyond 2^53. */
const types: CustomTypesConfig = {
  getTypeParser: (oid, format) => (NUMBER_TYPES.has(oid) ? Number : pgTypes.getTypeParser(oid, format)),
}

/** A database: its URL, or what gives the present one for each new connection, as passwords change. */
export type DatabaseSource = string | (() => string)

/** The settings that all connections of this package share. */
export function connectionOptions(source: DatabaseSource): ClientConfig {
  return {
    connectionString: typeof source === 'string' ? source : source(),
    types,
    application_name: 'dragoman',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  }
}

/** A server that cannot be reached does not take leave. */
const LEAVE_TIMEOUT_MS = 1000

const socketsOf = new WeakMap<Pool, Set<Socket>>()

/** Opens at most `max` connections, when they are needed. */
export function createPool(source: DatabaseSource, max: number): Pool {
  const sockets = new Set<Socket>()
  const stream = (): Socket => {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  class PresentClient extends Client {
    constructor(options: ClientConfig = {}) {
      super({ ...options, ...connectionOptions(source) })
    }
  }
  const pool = new Pool({
    ...connectionOptions(source),
    Client: PresentClient,
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    stream,
    // The pool waits for it, which its type does not tell.
    onConnect: (client): unknown => setUp(client),
  })
  socketsOf.set(pool, sockets)
  // Without a listener on each client, a lost connection would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}

/**
 * Sets up a new connection. If that fails, the pool waits for the connection's end, and a server that cannot be reached
 * any more does not end it.
 */
async function setUp(client: ClientBase): Promise<void> {
  try {
    await client.query(SETTINGS)
  } catch (error) {
    if (client instanceof Client) client.connection.stream.destroy()
    throw error
  }
}

/**
 * Takes a connection. A server that refuses one is away, whatever its reason: a full disk may be one.
 * @throws an error of the connection
 */
export async function takeConnection<Connection>(connect: () => Promise<Connection>): Promise<Connection> {
  try {
    return await connect()
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause
    throw new Error(`Connection terminated by the server: ${cause.message}`, { cause })
  }
}

/** Ends all connections of a pool. Those that do not end in time are closed. */
export async function endPool(pool: Pool): Promise<void> {
  const close = (): void => {
    for (const socket of socketsOf.get(pool) ?? []) socket.destroy()
  }
  // The pool does not wait until the server has taken note, so sockets may be open after its end.
  setTimeout(close, LEAVE_TIMEOUT_MS).unref()
  await pool.end()
}

/** Ends a connection. */
export async function endClient(client: Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), LEAVE_TIMEOUT_MS)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}
