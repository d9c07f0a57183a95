import type { McpServers, ResolvedTools } from '../agents/index.ts'
import { mcpConditions, mcpFeature, parseServers, type McpServices } from '../mcp/index.ts'
import type { AgentModule, Finding } from './agent-module.ts'
import { normalizeToolsFor } from './normalize-tools-for.ts'

const NO_TOOLS: ResolvedTools = { tools: [], notes: [] }

/**
 * Adds the tools of the agent's MCP servers to its runs, and what is to be said of the servers to its condition and its
 * findings. `place` begins each sentence about a mistake.
 * @throws ServiceError `invalid-request` for a server that is not described rightly
 */
export function withMcpServers(module: AgentModule, services: McpServices, place: string): AgentModule {
  const { agent, toolsFor, condition, background, doctor } = module
  const servers = parseServers(agent.mcp, place)
  if (servers.length === 0) return module
  const warn = (problem: string): void => services.warn(`Agent ${agent.id}: ${problem}`)
  const feature = mcpFeature(servers, { ...services, warn })
  const serverTools = normalizeToolsFor(feature.toolsFor)
  return {
    ...module,
    async toolsFor(scope) {
      const [own, added] = await Promise.all([toolsFor?.(scope) ?? NO_TOOLS, serverTools(scope)])
      return {
        tools: [...own.tools, ...added.tools],
        notes: [...own.notes, ...added.notes],
        isStale: () => [own, added].some((each) => each.isStale?.()),
      }
    },
    async condition() {
      const [own, found] = await Promise.all([condition?.(), feature.conditions()])
      const { available = true, notes = [] } = own ?? {}
      return { available, notes: [...notes, ...found.map(({ note }) => note)] }
    },
    async background(signal, report) {
      await Promise.all([background?.(signal, report), feature.background(signal)])
    },
    async doctor() {
      const [own = [], found] = await Promise.all([doctor?.(), mcpConditions(servers, services)])
      const added = found.map(({ works, note }): Finding => ({ level: works ? 'ok' : 'note', text: note }))
      return [...own, ...added]
    },
  }
}

/** The servers of a file are added to those of the agent. Of two with one name, the file's counts. */
export function joinServers(
  own: McpServers | undefined,
  ofFile: McpServers | undefined,
): { mcp?: McpServers } {
  return own || ofFile ? { mcp: { ...own, ...ofFile } } : {}
}
