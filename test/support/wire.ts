import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { sql } from 'kysely'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { openHomeDatabase } from './home-storage.ts'

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
  'run_tail',
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

/** All that is stored of what users said and did. */
export async function rows(home: string): Promise<Rows> {
  const database = await openHomeDatabase(home)
  try {
    const tables = await database.introspection.getTables()
    const names = new Set(tables.map(({ name }) => name))
    const all = async (table: string): Promise<Record<string, unknown>[]> => {
      // A server without the bundled agents has none of their tables.
      if (!names.has(table)) return []
      const { rows: found } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(
        database,
      )
      return found
    }
    const entries: [string, Record<string, unknown>[]][] = []
    for (const table of TABLES) entries.push([table, await all(table)])
    return Object.fromEntries(entries) as Rows
  } finally {
    await database.destroy()
  }
}

/** The same without what the projector writes of it, in its own time: the rows of each table as JSON, sorted. */
export async function rowsOfEveryTable(home: string): Promise<object> {
  const { chat_messages: _, conversations, ...rest } = await rows(home)
  const tables = { ...rest, conversations: conversations.map(({ id, metadata }) => ({ id, metadata })) }
  return Object.fromEntries(
    Object.entries(tables).map(([table, all]) => [table, all.map((row) => JSON.stringify(row)).toSorted()]),
  )
}
