import type { RunScope } from 'dragoman/agents'
import type { AgentModule, Condition } from 'dragoman/modules'
import type { ServerEntry } from './server-config.ts'
import { errorReason } from './server-errors.ts'
import { connectionPool, type McpServices, type ConnectionPool } from './connection-pool.ts'
import { raceAbort } from './race-abort.ts'

/** A run waits no longer for a server than this. One that takes longer to start is there for a later run. */
const WAIT_MS = 5000
/** And than this for one that an earlier run has waited for in vain. */
const SHORT_MS = 200

type McpFeature = Required<Pick<AgentModule, 'toolsFor' | 'background' | 'condition'>>

/** How one server is: its tools, or why there are none. */
export type ServerCondition = { readonly name: string; readonly works: boolean; readonly note: string }

/** Lets the agent use tools of MCP servers that config.yaml names. @throws ServiceError `invalid-request` where it names one that cannot be */
export function mcpFeature(machine: McpServices): McpFeature {
  const pool = connectionPool(machine)

  /** Those that did not answer in time when they were last asked, and still have not. */
  const slow = new Set<ServerEntry>()

  const offer = async (server: ServerEntry, { secrets, signal }: RunScope) => {
    const asking = pool.toolsOf(server, secrets)
    const patience = AbortSignal.timeout(slow.has(server) ? SHORT_MS : WAIT_MS)
    try {
      return { tools: await raceAbort(asking, AbortSignal.any([signal, patience])), notes: [] }
    } catch (error) {
      if (error === patience.reason) {
        slow.add(server)
        void asking.catch(() => undefined).finally(() => slow.delete(server))
      }
      const note = `The tools of the MCP server ${server.name} cannot be used now: ${errorReason(error)}.`
      return { tools: [], notes: [note] }
    }
  }

  return {
    async toolsFor(scope) {
      const forUser = pool.all.filter(({ users }) => users?.includes(scope.userId) ?? true)
      const found = await Promise.all(forUser.map((server) => offer(server, scope)))
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

/** How each server is that config.yaml names, tried as a run does that brings no headers of its own. They are let go of again. */
export async function mcpConditions(machine: McpServices): Promise<readonly ServerCondition[]> {
  const pool = connectionPool(machine)
  try {
    return await conditions(pool)
  } finally {
    await pool.close()
  }
}

async function conditions(pool: ConnectionPool): Promise<readonly ServerCondition[]> {
  return Promise.all(
    pool.all.map(async (server) => {
      const { name } = server
      try {
        const tools = await raceAbort(pool.toolsOf(server, null), AbortSignal.timeout(WAIT_MS))
        return { name, works: true, note: `MCP: ${name} is connected: ${countTools(tools.length)}.` }
      } catch (error) {
        return { name, works: false, note: `MCP: ${name} has no tools now: ${errorReason(error)}.` }
      }
    }),
  )
}

function countTools(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`
}
