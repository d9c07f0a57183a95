import type { ResolvedTools, RunScope, Tool } from '../agents/index.ts'
import { HOOK_TIMEOUT_MS, withTimeout } from '../async/index.ts'
import type { ClientTool } from '../events/index.ts'
import type { ResolvedAgent } from './ports.ts'
import { failed, type Failed } from './tool-failure.ts'

type Source = {
  readonly resolved: ResolvedAgent
  readonly clientTools: readonly ClientTool[]
  readonly scope: Omit<RunScope, 'signal'>
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
}

/** The tools of one run, and what is to be said of them to the model. */
type RunTools = Pick<ResolvedTools, 'tools' | 'notes'> & Pick<ResolvedAgent, 'currentTools'>

/**
 * The agent's tools, and those that it has in one run only. If these cannot be found in time, the notes say so. Of two
 * tools of one name, the first is used, and the client's goes before that of a run.
 */
export async function resolveTools({
  resolved,
  clientTools,
  scope,
  signal,
  report,
}: Source): Promise<RunTools> {
  const { agent, toolsFor } = resolved
  if (!toolsFor) return { tools: agent.tools, notes: [] }
  const find = async (until: AbortSignal): Promise<ResolvedTools | undefined> => {
    try {
      return await withTimeout(until, HOOK_TIMEOUT_MS, (limit) => toolsFor({ ...scope, signal: limit }))
    } catch (error) {
      if (!until.aborted) report(error)
      return undefined
    }
  }
  const withOwn = (others: readonly Tool[]): readonly Tool[] => {
    const names = new Set([...agent.tools, ...clientTools].map(({ name }) => name))
    return [...agent.tools, ...others.filter(({ name }) => !names.has(name) && names.add(name))]
  }
  const first = await find(signal)
  if (!first)
    return {
      tools: agent.tools,
      notes: ['Some of your tools cannot be reached now. Say so where one would be needed.'],
    }
  const { notes, isStale } = first
  const tools = withOwn(first.tools)
  return { tools, notes, ...(isStale && { currentTools: renewing({ tools, isStale }, find, withOwn) }) }
}

/** Tools that are stale are resolved again, once for all calls that wait. Where that fails, the earlier ones stay. */
function renewing(
  first: Pick<ResolvedTools, 'tools' | 'isStale'>,
  find: (signal: AbortSignal) => Promise<ResolvedTools | undefined>,
  withOwn: (others: readonly Tool[]) => readonly Tool[],
): NonNullable<ResolvedAgent['currentTools']> {
  let latest = first
  let pending: Promise<void> | undefined
  const renew = async (signal: AbortSignal): Promise<void> => {
    const found = await find(signal)
    if (found) latest = { ...found, tools: withOwn(found.tools) }
    pending = undefined
  }
  return async (signal) => {
    if (latest.isStale?.()) await (pending ??= renew(signal))
    return latest.tools
  }
}

/** Finds the tool of a call, as the agent's tools are now. */
export type FindTool = (name: string) => Promise<Tool | Failed>

export function createToolFinder({ agent, currentTools }: ResolvedAgent, signal: AbortSignal): FindTool {
  const every = new Map(agent.tools.map((tool) => [tool.name, tool]))
  return async (name) => {
    const current = await currentTools?.(signal)
    for (const tool of current ?? []) every.set(tool.name, tool)
    const tool = every.get(name)
    if (tool && (!current || current.includes(tool))) return tool
    return failed(
      'unknown-tool',
      tool ? `The tool ${name} was removed while the run went on.` : `There is no tool named ${name}.`,
    )
  }
}
