import { createHash } from 'node:crypto'

import type { Tool } from '../agents/index.ts'
import type { Json } from '../events/index.ts'
import { createOAuthFetch } from './bounded-fetch.ts'
import { callerHeaders, type Headers } from './caller-headers.ts'
import type { McpServices } from './mcp-services.ts'
import type { Authorize } from './open-client.ts'
import type { HttpServer, ServerEntry } from './server-config.ts'
import { serverConnection, type Offer, type ServerConnection } from './server-connection.ts'
import { schemaChecker, serverTool } from './server-tool.ts'
import { authorizeRequests, requireSignIn } from './sign-in/authorize-requests.ts'
import { findGrantId } from './sign-in/grant.ts'

/** The limit of connections of callers. */
const MAX_CALLER_CONNECTIONS = 100

/** The servers of an agent, with a connection for each kind of caller. */
export interface ConnectionPool {
  /** The tools that a server offers to a caller. @throws why it does not answer */
  toolsOf(server: ServerEntry, caller: McpCaller): Promise<OfferedTools>
  /** The last lines of a program's error output. Empty for other servers. */
  lastWords(server: ServerEntry): string
  close(): Promise<void>
}

/** Whose tools are listed. Without a user, those of anybody. `secrets` may hold headers. */
export type McpCaller = { readonly userId?: string; readonly secrets: Json }

/** What a connection sends of its caller. Connections of one `name` are the same. */
type Credentials = { readonly name: string; readonly headers: Headers; readonly authorize?: Authorize }

/** `notes` name the tools that were repaired or left out, for the server's owner. */
export type OfferedTools = Omit<Offer, 'tools'> & { readonly tools: readonly Tool[] }

type PoolEntry = {
  readonly connection: ServerConnection
  offered?: OfferedTools & { readonly of: Offer }
}

export function connectionPool(services: McpServices): ConnectionPool {
  const { env, report, warn } = services
  /** In the order of their last use. */
  const entries = new Map<string, PoolEntry>()
  const closings = new Set<Promise<void>>()
  let isClosed = false
  const warnOfChange = changeWarnings(warn)

  const leave = (name: string, { connection }: PoolEntry): void => {
    entries.delete(name)
    const closing = connection.close().catch(report)
    closings.add(closing)
    void closing.finally(() => closings.delete(closing))
  }
  const trim = (): void => {
    const callers = Array.from(entries).filter(([name]) => name.includes('/'))
    const idle = callers.filter(([, { connection: each }]) => !each.isBusy)
    for (const [name, each] of idle.slice(0, Math.max(0, callers.length - MAX_CALLER_CONNECTIONS)))
      leave(name, each)
  }
  const reach = (server: ServerEntry, { name, ...sent }: Credentials): PoolEntry => {
    const found = entries.get(name) ?? {
      connection: serverConnection(server, { ...sent, env, report, warn, now: Date.now }),
    }
    if (isClosed) leave(name, found)
    else {
      entries.delete(name)
      entries.set(name, found)
    }
    return found
  }

  return {
    async toolsOf(server, caller) {
      const credentials = await credentialsFor(server, caller, services)
      const entry = reach(server, credentials)
      trim()
      const of = await entry.connection.offer()
      // Made once for each list: what is made of a tool is remembered by it.
      if (entry.offered?.of !== of) {
        const options = {
          server,
          checker: await schemaChecker(),
          connection: () => reach(server, credentials).connection,
        }
        entry.offered = { ...of, of, tools: of.tools.map((tool) => serverTool(tool, options)) }
        warnOfChange(server, of.notes)
      }
      return entry.offered
    },
    lastWords: (server) => entries.get(server.name)?.connection.lastWords ?? '',
    async close() {
      isClosed = true
      for (const [name, each] of entries) leave(name, each)
      await Promise.all(closings)
    },
  }
}

/** Warns of what is odd in a server's list, once for each change. */
function changeWarnings(warn: McpServices['warn']): (server: ServerEntry, notes: readonly string[]) => void {
  const warnings = new Map<ServerEntry, string>()
  return (server, notes) => {
    const warning = notes.join('; ')
    if (warning !== (warnings.get(server) ?? ''))
      warn(`MCP: ${server.name}: ${warning || 'its tools are right now'}.`)
    warnings.set(server, warning)
  }
}

async function credentialsFor(
  server: ServerEntry,
  { userId, secrets }: McpCaller,
  { signIns: store, safeFetch }: McpServices,
): Promise<Credentials> {
  if (server.kind !== 'http') return { name: server.name, headers: {} }
  const headers = callerHeaders(server, secrets)
  if (hasAuthorization({ ...headers, ...server.headers })) return { name: nameOf(server, headers), headers }
  const key = userId !== undefined && { userId, url: server.url }
  const grantId = store && key ? await findGrantId(store, key) : undefined
  if (!store || !key || grantId === undefined)
    return { name: nameOf(server, headers), headers, authorize: requireSignIn }
  const oauthFetch = createOAuthFetch(server.url, safeFetch)
  return {
    name: nameOf(server, headers, grantId),
    headers,
    authorize: authorizeRequests({ store, server, key, oauthFetch, now: Date.now }),
  }
}

function hasAuthorization(headers: Headers): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/** Of headers only a mark is kept as a name. */
function nameOf({ name }: HttpServer, headers: Headers, grantId?: string): string {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0 && grantId === undefined) return name
  return `${name}/${createHash('sha256')
    .update(JSON.stringify([sorted, grantId]))
    .digest('base64url')}`
}
