import { setTimeout as wait } from 'node:timers/promises'

import { Client, type QueryResultRow } from 'pg'

import { isConnectionError } from './connection-errors.ts'
import { connectionOptions, endClient, type DatabaseSource } from './pool.ts'

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 500
/** A statement of the session is short: without an answer within this time, its connection counts as lost. */
const ANSWER_TIMEOUT_MS = 5000
/** How often the server is asked for an answer: on a line that passes nothing, no notification would come for ever. */
const PROBE_INTERVAL_MS = 2000

/**
 * The server notices within some 4 s that this host is gone. Otherwise its locks would stay for hours.
 * https://www.postgresql.org/docs/current/runtime-config-connection.html
 */
const KEEPALIVES = `SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 4000`

/**
 * One connection that lives as long as the process. It holds the locks of a living node and receives notifications.
 */
export interface Session extends AsyncDisposable {
  /** Runs on each new connection, in order, before it counts as open. */
  onConnect(setUp: SetUp): Promise<void>
  onNotification(receive: ReceiveNotification): void
  /** Calls `listen` with the reason, as the server or the system says it, when the connection is lost. */
  onLost(listen: ListenLost): void
  /**
   * Runs a statement on the connection that is open now, after those before it. @throws the connection's error: then
   * the session opens another one
   */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** How long the present connection has been open, in ms. 0 while there is none. */
  openForMs(): number
  /** Aborts when the present connection ends. It has aborted already if there is none. */
  connectionSignal(): AbortSignal
}

type SetUp = (client: Client) => Promise<void>
type ListenLost = (reason: string) => void
type ReceiveNotification = (channel: string, payload: string) => void
type Connection = {
  readonly client: Client
  readonly run: RunStatement
  readonly since: number
  readonly end: AbortController
}
type RunStatement = <Row extends QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>

/** Opens the session, and opens it again whenever it is lost. @throws the error of the first connection */
export async function openSession(source: DatabaseSource): Promise<Session> {
  const setUps: SetUp[] = []
  const receivers: ReceiveNotification[] = []
  const losses: ListenLost[] = []
  const closing = new AbortController()
  let current: Connection | undefined
  let reopening: Promise<void> | undefined

  const connect = async (): Promise<void> => {
    const client = createClient(source, receivers)
    let reason = 'the connection was closed'
    client.on('error', ({ message }) => (reason = message))
    client.on('end', () => {
      if (current?.client !== client) return
      current.end.abort()
      current = undefined
      if (closing.signal.aborted) return
      for (const listen of losses) listen(reason)
      reopening ??= reopen().finally(() => (reopening = undefined))
    })
    await openClient(client, setUps)
    current = { client, run: oneByOne(client), since: performance.now(), end: new AbortController() }
  }
  const reopen = (): Promise<void> => retryUntilOpen(connect, closing.signal)

  const query: Session['query'] = async (text, values = []) => {
    if (!current) throw new Error('Connection terminated: the session is being opened again.')
    return current.run(text, values)
  }

  await connect()
  const probing = probe(query, closing.signal)
  return {
    async onConnect(setUp) {
      setUps.push(setUp)
      if (current) await setUp(current.client)
    },
    onLost: (listen) => void losses.push(listen),
    onNotification: (receive) => void receivers.push(receive),
    query,
    openForMs: () => (current ? performance.now() - current.since : 0),
    connectionSignal: () => current?.end.signal ?? AbortSignal.abort(),
    async [Symbol.asyncDispose]() {
      closing.abort()
      const client = current?.client
      current?.end.abort()
      current = undefined
      if (client) await endClient(client)
      await Promise.all([reopening, probing])
    },
  }
}

function createClient(source: DatabaseSource, receivers: readonly ReceiveNotification[]): Client {
  const client = new Client({ ...connectionOptions(source), query_timeout: ANSWER_TIMEOUT_MS })
  client.on('notification', ({ channel, payload }) => {
    for (const receive of receivers) receive(channel, payload ?? '')
  })
  return client
}

async function openClient(client: Client, setUps: readonly SetUp[]): Promise<void> {
  try {
    await client.connect()
    await client.query(KEEPALIVES)
    for (const setUp of setUps) await setUp(client)
  } catch (error) {
    await endClient(client)
    throw error
  }
}

/** Statements of one connection. It is closed after an error of the connection, such as an answer that did not come. */
function oneByOne(client: Client): RunStatement {
  let last: Promise<unknown> = Promise.resolve()
  return <Row extends QueryResultRow>(text: string, values: readonly unknown[]) => {
    const result = last.then(() => client.query<Row>(text, [...values]))
    last = result.catch((error: unknown) => {
      if (isConnectionError(error)) client.connection.stream.destroy()
    })
    return result.then(({ rows }) => rows)
  }
}

async function probe(query: Session['query'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await query('SELECT 1').catch(() => undefined)
    await wait(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function retryUntilOpen(connect: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const isOpen = await connect().then(
      () => true,
      () => false,
    )
    if (isOpen) return
    await wait(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
