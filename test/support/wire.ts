import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'

import type { Json } from '../../packages/dragoman/src/index.ts'

type WireRequest = {
  readonly method?: string | undefined
  /** As it stands in the request line. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes as it is, else as JSON. */
  readonly body?: Json | Uint8Array
}

type WireResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: Record<string, unknown>
}

/** Asks over a socket of its own, and sends what browsers and fetch would not. */
export async function ask(
  url: string,
  { method = 'GET', path, headers = {}, body }: WireRequest,
): Promise<WireResponse> {
  const { hostname, port } = new URL(url)
  const bytes = typeof body === 'string' || body instanceof Uint8Array || body === undefined
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const clientRequest = request(
    {
      hostname,
      port,
      method,
      path,
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
    },
    resolve,
  )
  clientRequest.on('error', reject)
  clientRequest.end(bytes ? body : JSON.stringify(body))
  const response = await promise
  const responseText = await text(response)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: responseText,
    json: responseText.startsWith('{') ? (JSON.parse(responseText) as Record<string, unknown>) : {},
  }
}

/** Writes the very bytes to a socket, and gives all that comes until the server closes it. */
export async function exchange(url: string, ...bytes: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = line(url)
  for (const piece of bytes) socket.write(piece)
  return text(socket)
}

/** A bare connection. One that is reset has ended. */
export function line(url: string): ReturnType<typeof connect> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => socket.push(null))
  return socket
}

/** Status codes of the answers in what came over one connection. */
export function statuses(came: string): number[] {
  return [...came.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code))
}

const TABLES = [
  'runs',
  'run_entries',
  'run_keys',
  'conversations',
  'chat_messages',
  'questions',
  'jobs',
  'job_status_history',
  'job_touches',
  'job_analysis',
  'job_sources',
  'resumes',
  'resume_versions',
  'tailored_resumes',
  'tailored_files',
] as const

type Rows = Record<(typeof TABLES)[number], Record<string, unknown>[]>

/** All that is kept of what users said and did, as it stands in the file. */
export function rows(home: string): Rows {
  const db = new DatabaseSync(join(home, 'dragoman.db'), { readOnly: true })
  try {
    const names = new Set(
      db
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name),
    )
    // A server without the bundled agents has none of their tables.
    const all = (table: string) => (names.has(table) ? db.prepare(`SELECT * FROM ${table}`).all() : [])
    return Object.fromEntries(TABLES.map((table) => [table, all(table)])) as Rows
  } finally {
    db.close()
  }
}

/** The same without what the projector writes of it, in its own time. */
export function rowsOfEveryTable(home: string): object {
  const { chat_messages: _, conversations, ...rest } = rows(home)
  return { ...rest, conversations: conversations.map(({ id, metadata }) => ({ id, metadata })) }
}
