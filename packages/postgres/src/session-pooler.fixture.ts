import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { createPooledSessions, GREETING } from './pooled-sessions.fixture.ts'

/** A proxy in front of PostgreSQL. It keeps the sessions of clients that disconnect, and gives them to new clients. */
export type SessionPooler = {
  readonly port: number
  /** Waits until no client uses the database. False if one stays connected, or a connection was lost. */
  readonly untilUnused: (name: string) => Promise<boolean>
  readonly close: () => void
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html
const PROTOCOL_VERSION = 196_608
/** The last message of a client that disconnects. */
const TERMINATE = Buffer.from('X\0\0\0\x04', 'latin1')
const DISCONNECT_TIMEOUT_MS = 5000

/** The connections to a database, and whether one was lost: its session may still be at work. */
type Connections = { readonly open: Set<Promise<void>>; hasLost: boolean }

/**
 * A new session loads the catalog of its database, which costs more than the statements of a test. `databaseOf` finds
 * the database behind a name, `urlOf` its URL.
 */
export async function openSessionPooler(
  databaseOf: (name: string) => string | undefined,
  urlOf: (database: string) => string,
): Promise<SessionPooler> {
  const sessions = createPooledSessions(urlOf)
  const clients = new Set<Socket>()
  const connections = new Map<string, Connections>()
  const connect = async (client: Socket, { name, application }: Startup): Promise<boolean> => {
    const database = databaseOf(name)
    if (database === undefined) return false
    const session = await sessions.take(database, application)
    client.write(GREETING)
    const isClean = await forward(client, session.line)
    if (isClean) await sessions.keep(session)
    return isClean
  }
  const serve = async (client: Socket): Promise<void> => {
    const [bytes] = (await once(client, 'data')) as [Buffer]
    const startup = readStartup(bytes)
    const { name } = startup
    const ours = connections.get(name) ?? { open: new Set(), hasLost: false }
    connections.set(name, ours)
    const untilEnd = async (): Promise<void> => {
      const isClean = await connect(client, startup).catch(() => false)
      if (!isClean) ours.hasLost = true
      client.destroy()
    }
    const end = untilEnd()
    ours.open.add(end)
    await end
    ours.open.delete(end)
  }
  const pooler = createServer({ noDelay: true }, (client) => {
    clients.add(client.on('error', () => undefined).once('close', () => clients.delete(client)))
    serve(client).catch(() => client.destroy())
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  return {
    port: (pooler.address() as AddressInfo).port,
    async untilUnused(name) {
      const ours = connections.get(name)
      connections.delete(name)
      return ours === undefined || ((await endInTime([...ours.open])) && !ours.hasLost)
    },
    close() {
      pooler.close()
      for (const client of clients) client.destroy()
      sessions.close()
    },
  }
}

type Startup = { readonly name: string; readonly application: string }

function readStartup(bytes: Buffer): Startup {
  if (bytes.readInt32BE(4) !== PROTOCOL_VERSION)
    throw new Error('Expected a startup message of protocol 3.0.')
  const words = bytes.toString('utf8', 8).split('\0')
  const valueOf = (name: string): string => (words.includes(name) ? words[words.indexOf(name) + 1] : '') ?? ''
  return { name: valueOf('database'), application: valueOf('application_name') }
}

/** Forwards all bytes. True if the client disconnects properly. If its connection is lost, the session ends. */
function forward(client: Socket, server: Duplex): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = (isClean: boolean): void => {
      client.off('data', toServer).off('close', lose)
      server.off('data', toClient).off('close', lose)
      if (!isClean) server.destroy()
      resolve(isClean)
    }
    const toServer = (bytes: Buffer): void => {
      const isLast = bytes.subarray(-TERMINATE.length).equals(TERMINATE)
      server.write(isLast ? bytes.subarray(0, -TERMINATE.length) : bytes)
      if (isLast) stop(true)
    }
    const toClient = (bytes: Buffer): void => void client.write(bytes)
    const lose = (): void => stop(false)
    client.on('data', toServer).on('close', lose)
    server.on('data', toClient).on('close', lose)
  })
}

async function endInTime(ends: readonly Promise<void>[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), DISCONNECT_TIMEOUT_MS)
  const end = async (): Promise<boolean> => {
    await Promise.all(ends)
    return true
  }
  const isInTime = await Promise.race([end(), promise])
  clearTimeout(timer)
  return isInTime
}
