import { mcpConditions } from '../../capabilities/assistant/mcp/room.ts'
import type { Config } from '../../config.ts'
import { notable, well, type Finding } from './finding.ts'

/** Whether the servers of tools that config.yaml names answer. Programs are started, and ended again. */
export async function mcp({ sections, env }: Config): Promise<Finding[]> {
  // One that cannot be ended well is no finding of its own.
  const found = await mcpConditions({ sections, env, report: () => undefined })
  return found.map(({ works, note }) => (works ? well(note) : notable(note)))
}
