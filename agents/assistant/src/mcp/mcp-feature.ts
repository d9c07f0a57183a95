import type { RunScope } from 'dragoman/agents'
import type { AgentModule, Condition } from 'dragoman/modules'
import type { ServerEntry } from './server-config.ts'
import { errorReason } from './server-errors.ts'
import { connectionPool, type McpServices, type ConnectionPool } from './connection-pool.ts'
import { raceAbort } from './race-abort.ts'

/** The longest wait of a run for a server. A server that starts later serves later runs. */
const WAIT_MS = 5000
/** The wait for a server that did not answer an earlier run in time. */
const SHORT_MS = 200
/** Notes about the tools of one server that are shown. */
const MAX_NOTES = 20

type McpFeature = Required<Pick<AgentModule, 'toolsFor' | 'background' | 'condition'>>

/** What is to be said of one server: how many tools it has, or why none, and which of them are odd. */
export type ServerCondition = { readonly works: boolean; readonly note: string }

/** The tools of the MCP servers of config.yaml. @throws ServiceError `invalid-request` for a wrong entry */
export function mcpFeature(services: McpServices): McpFeature {
  const pool = connectionPool(services)

  /** Servers that did not answer in time, and still have not. */
  const slow = new Set<ServerEntry>()

  const toolsOf = async (server: ServerEntry, { secrets, signal }: RunScope) => {
    const listing = pool.toolsOf(server, secrets)
    const timeout = AbortSignal.timeout(slow.has(server) ? SHORT_MS : WAIT_MS)
    try {
      const { tools } = await raceAbort(listing, AbortSignal.any([signal, timeout]))
      return { tools, notes: [] }
    } catch (error) {
      if (error === timeout.reason) {
        slow.add(server)
        void listing.catch(() => undefined).finally(() => slow.delete(server))
      }
      const note = `The tools of the MCP server ${server.name} cannot be used now: ${errorReason(error)}.`
      return { tools: [], notes: [note] }
    }
  }

  return {
    async toolsFor(scope) {
      const forUser = pool.all.filter(({ users }) => users?.includes(scope.userId) ?? true)
      const found = await Promise.all(forUser.map((server) => toolsOf(server, scope)))
      return { tools: found.flatMap(({ tools }) => tools), notes: found.flatMap(({ notes }) => notes) }
    },
    async background(signal) {
      if (pool.all.length === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (!signal.aborted) await promise
      await pool.close()
    },
    async condition(): Promise<Condition> {
      const found = await conditions(pool)
      return { available: true, notes: found.map(({ note }) => note) }
    },
  }
}

/** Connects to each server of config.yaml without headers of a caller, and closes the connections again. */
export async function mcpConditions(services: McpServices): Promise<readonly ServerCondition[]> {
  const pool = connectionPool(services)
  try {
    return await conditions(pool)
  } finally {
    await pool.close()
  }
}

async function conditions(pool: ConnectionPool): Promise<readonly ServerCondition[]> {
  const found = await Promise.all(pool.all.map((server) => conditionOf(pool, server)))
  return found.flat()
}

async function conditionOf(pool: ConnectionPool, server: ServerEntry): Promise<ServerCondition[]> {
  const { name } = server
  try {
    const { tools, notes } = await raceAbort(pool.toolsOf(server, null), AbortSignal.timeout(WAIT_MS))
    return [
      { works: true, note: `MCP: ${name} is connected: ${countTools(tools.length)}.` },
      ...shorten(notes).map((note) => ({ works: false, note: `MCP: ${name}: ${note}.` })),
    ]
  } catch (error) {
    return [{ works: false, note: `MCP: ${name} has no tools now: ${errorReason(error)}.` }]
  }
}

function shorten(notes: readonly string[]): readonly string[] {
  const more = notes.length - MAX_NOTES
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `${more} more tools are repaired or left out`] : notes
}

function countTools(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`
}
