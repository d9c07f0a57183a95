import { setTimeout as wait } from 'node:timers/promises'

import { Client, type QueryResultRow } from 'pg'

import { connectionOptions } from './pool.ts'

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 500

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
  /** Runs a statement on the connection that is open now. @throws the connection's error */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** How long the present connection has been open, in ms. 0 while there is none. */
  openForMs(): number
  /** Aborts when the present connection ends. It has aborted already if there is none. */
  connectionSignal(): AbortSignal
}

type SetUp = (client: Client) => Promise<void>
type ReceiveNotification = (channel: string, payload: string) => void
type Connection = { readonly client: Client; readonly since: number; readonly end: AbortController }

/** Opens the session, and opens it again whenever it is lost. @throws the error of the first connection */
export async function openSession(url: string): Promise<Session> {
  const setUps: SetUp[] = []
  const receivers: ReceiveNotification[] = []
  const closing = new AbortController()
  let current: Connection | undefined
  let reopening: Promise<void> | undefined
  // A client runs one statement at a time.
  let last: Promise<unknown> = Promise.resolve()

  const connect = async (): Promise<void> => {
    const client = createClient(url, receivers)
    client.on('end', () => {
      if (current?.client !== client) return
      current.end.abort()
      current = undefined
      if (!closing.signal.aborted) reopening ??= reopen().finally(() => (reopening = undefined))
    })
    await openClient(client, setUps)
    current = { client, since: performance.now(), end: new AbortController() }
  }
  const reopen = (): Promise<void> => retryUntilOpen(connect, closing.signal)

  await connect()
  return {
    async onConnect(setUp) {
      setUps.push(setUp)
      if (current) await setUp(current.client)
    },
    onNotification: (receive) => void receivers.push(receive),
    query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const result = last.then(async () => {
        if (!current) throw new Error('Connection terminated: the session is being opened again.')
        return (await current.client.query<Row>(text, [...values])).rows
      })
      last = result.catch(() => undefined)
      return result
    },
    openForMs: () => (current ? performance.now() - current.since : 0),
    connectionSignal: () => current?.end.signal ?? AbortSignal.abort(),
    async [Symbol.asyncDispose]() {
      closing.abort()
      const client = current?.client
      current?.end.abort()
      current = undefined
      await reopening
      await client?.end().catch(() => undefined)
    },
  }
}

function createClient(url: string, receivers: readonly ReceiveNotification[]): Client {
  const client = new Client(connectionOptions(url))
  client.on('error', () => undefined)
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
    await client.end().catch(() => undefined)
    throw error
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
