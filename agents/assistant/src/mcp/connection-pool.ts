import { createHash } from 'node:crypto'

import type { AgentServices, Tool } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import type { AssistantSettings } from '../settings.ts'
import { callersHeaders, type Headers } from './caller-headers.ts'
import { readConfigured, type ServerEntry } from './server-config.ts'
import { connection, type Connection } from './server-connection.ts'
import { schemaChecker, serverTool } from './server-tool.ts'

/** Connections with headers of callers' own that are kept at once. */
const MOST_KEPT = 100

/** The servers of config.yaml, with a connection for each kind of caller. */
export interface Servers {
  readonly all: readonly ServerEntry[]
  /** What a server offers to whoever sends these secrets. @throws what kept it from answering */
  toolsOf(server: ServerEntry, secrets: Json): Promise<readonly Tool[]>
  close(): Promise<void>
}

/** What servers of tools need of this machine. */
export type McpMachine = Pick<AgentServices<AssistantSettings>, 'settings' | 'env' | 'report'>

type Kept = {
  readonly connection: Connection
  offered?: { readonly of: readonly unknown[]; readonly tools: readonly Tool[] }
}

/** @throws ServiceError `invalid-request` where config.yaml names a server that cannot be */
export function servers({ settings, env, report }: McpMachine): Servers {
  const all = readConfigured(settings.mcp)
  /** Those used last stand last. */
  const kept = new Map<string, Kept>()
  const leaving = new Set<Promise<void>>()
  let isClosed = false

  const leave = (name: string, { connection: left }: Kept): void => {
    kept.delete(name)
    const closing = left.close().catch(report)
    leaving.add(closing)
    void closing.finally(() => leaving.delete(closing))
  }
  const trim = (): void => {
    const callers = Array.from(kept).filter(([name]) => name.includes('/'))
    const idle = callers.filter(([, { connection: each }]) => !each.isBusy)
    for (const [name, each] of idle.slice(0, Math.max(0, callers.length - MOST_KEPT))) leave(name, each)
  }
  const reach = (server: ServerEntry, headers: Headers): Kept => {
    const name = nameOf(server, headers)
    const found = kept.get(name) ?? {
      connection: connection(server, { headers, env, report, now: Date.now }),
    }
    if (isClosed) leave(name, found)
    else {
      kept.delete(name)
      kept.set(name, found)
    }
    return found
  }

  return {
    all,
    async toolsOf(server, secrets) {
      const headers = server.kind === 'http' ? callersHeaders(server, secrets) : {}
      const reached = reach(server, headers)
      trim()
      const of = await reached.connection.tools()
      // Made once for each list: what is made of a tool is remembered by it.
      if (reached.offered?.of !== of) {
        const offer = {
          server,
          checker: await schemaChecker(),
          connection: () => reach(server, headers).connection,
        }
        reached.offered = { of, tools: of.flatMap((tool) => serverTool(tool, offer) ?? []) }
      }
      return reached.offered.tools
    },
    async close() {
      isClosed = true
      for (const [name, each] of kept) leave(name, each)
      await Promise.all(leaving)
    },
  }
}

/** Of headers only a mark is kept as a name. */
function nameOf({ name }: ServerEntry, headers: Headers): string {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return name
  return `${name}/${createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')}`
}
