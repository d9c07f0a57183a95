import type { Duplex } from 'node:stream'

import { Client } from 'pg'

/** An authenticated session with PostgreSQL: its raw bytes. */
export type PooledSession = { readonly line: Duplex; readonly key: string }

export type PooledSessions = {
  /** Returns an idle session, or opens one. */
  readonly take: (database: string, application: string) => Promise<PooledSession>
  /** Resets the session and keeps it for the next client. @throws if that fails: then it is closed */
  readonly keep: (session: PooledSession) => Promise<void>
  readonly close: () => void
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html
/** Ready for a statement, and in no transaction. */
const READY = message('Z', 'I')
/** The answer to a client's startup: it needs no password. */
export const GREETING = Buffer.concat([message('R', '\0\0\0\0'), READY])
const RESET = Buffer.concat([message('Q', 'ROLLBACK\0'), message('Q', 'DISCARD ALL\0')])
const RESET_ANSWER = Buffer.concat([message('C', 'DISCARD ALL\0'), READY])
const ANSWER_TIMEOUT_MS = 5000
/** Some databases are never dropped. */
const MAX_IDLE = 60

/** `urlOf` is the URL of a database. */
export function createPooledSessions(urlOf: (database: string) => string): PooledSessions {
  const all = new Set<Duplex>()
  const idle: PooledSession[] = []
  const forget = (session: PooledSession): void => {
    if (idle.includes(session)) idle.splice(idle.indexOf(session), 1)
  }
  const open = async (database: string, application: string): Promise<PooledSession> => {
    const client = new Client({ connectionString: urlOf(database), application_name: application })
    await client.connect()
    const line = client.connection.stream
    // The driver has authenticated. From now on the bytes belong to the clients of the pooler.
    for (const event of ['data', 'end', 'close', 'error']) line.removeAllListeners(event)
    const session = { line, key: `${database} ${application}` }
    all.add(line)
    line
      .on('error', () => undefined)
      .once('close', () => {
        all.delete(line)
        forget(session)
      })
    return session
  }
  return {
    async take(database, application) {
      const session = idle.findLast(({ key }) => key === `${database} ${application}`)
      if (session === undefined) return open(database, application)
      forget(session)
      return session
    },
    async keep(session) {
      session.line.write(RESET)
      await readUntil(session.line, RESET_ANSWER)
      idle.push(session)
      if (idle.length > MAX_IDLE) idle.shift()?.line.destroy()
    },
    close() {
      for (const line of all) line.destroy()
    },
  }
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`, 'latin1')
  bytes.writeInt32BE(4 + body.length, 1)
  return bytes
}

/** Waits until the answer ends with these bytes. */
function readUntil(line: Duplex, end: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail = Buffer.alloc(0)
    const stop = (): void => {
      clearTimeout(timer)
      line.off('data', read).off('close', fail)
    }
    const read = (bytes: Buffer): void => {
      tail = Buffer.concat([tail, bytes]).subarray(-end.length)
      if (!tail.equals(end)) return
      stop()
      resolve()
    }
    const fail = (): void => {
      stop()
      line.destroy()
      reject(new Error('The session is closed or does not answer.'))
    }
    const timer = setTimeout(fail, ANSWER_TIMEOUT_MS)
    line.on('data', read).on('close', fail)
  })
}
