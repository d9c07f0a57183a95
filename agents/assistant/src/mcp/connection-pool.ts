import { createHash } from 'node:crypto'

import type { AgentServices, Tool } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import type { AssistantSettings } from '../settings.ts'
import { callerHeaders, type Headers } from './caller-headers.ts'
import { readServers, type ServerEntry } from './server-config.ts'
import { serverConnection, type Offer, type ServerConnection } from './server-connection.ts'
import { schemaChecker, serverTool } from './server-tool.ts'

/** The limit of connections with headers of callers. */
const MAX_CALLER_CONNECTIONS = 100

/** The servers of config.yaml, with a connection for each kind of caller. */
export interface ConnectionPool {
  readonly all: readonly ServerEntry[]
  /** The tools that a server offers for these secrets. @throws why it does not answer */
  toolsOf(server: ServerEntry, secrets: Json): Promise<OfferedTools>
  /** The last lines of a program's error output. Empty for other servers. */
  errorOutput(server: ServerEntry): string
  close(): Promise<void>
}

/** The services that the pool needs. */
export type McpServices = Pick<
  AgentServices<Pick<AssistantSettings, 'mcp'>>,
  'settings' | 'env' | 'report' | 'warn' | 'requiresToken'
>

/** `notes` name the tools that were repaired or left out, for the server's owner. */
export type OfferedTools = Pick<Offer, 'notes' | 'instructions'> & { readonly tools: readonly Tool[] }

type PoolEntry = {
  readonly connection: ServerConnection
  offered?: OfferedTools & { readonly of: Offer }
}

/** @throws ServiceError `invalid-request` for a wrong server in config.yaml */
export function connectionPool({ settings, env, report, warn }: McpServices): ConnectionPool {
  const all = readServers(settings.mcp)
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
  const reach = (server: ServerEntry, headers: Headers): PoolEntry => {
    const name = nameOf(server, headers)
    const found = entries.get(name) ?? {
      connection: serverConnection(server, { headers, env, report, warn, now: Date.now }),
    }
    if (isClosed) leave(name, found)
    else {
      entries.delete(name)
      entries.set(name, found)
    }
    return found
  }

  return {
    all,
    async toolsOf(server, secrets) {
      const headers = server.kind === 'http' ? callerHeaders(server, secrets) : {}
      const entry = reach(server, headers)
      trim()
      const of = await entry.connection.offer()
      // Made once for each list: what is made of a tool is remembered by it.
      if (entry.offered?.of !== of) {
        const options = {
          server,
          checker: await schemaChecker(),
          connection: () => reach(server, headers).connection,
        }
        entry.offered = { ...of, of, tools: of.tools.map((tool) => serverTool(tool, options)) }
        warnOfChange(server, of.notes)
      }
      return entry.offered
    },
    errorOutput: (server) => entries.get(server.name)?.connection.errorOutput ?? '',
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

/** Of headers only a mark is kept as a name. */
function nameOf({ name }: ServerEntry, headers: Headers): string {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return name
  return `${name}/${createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')}`
}
