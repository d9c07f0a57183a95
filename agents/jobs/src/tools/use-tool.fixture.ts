import type { Tool, ToolContext, ToolResult } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { parseInput, testToolContext } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'

/** Calls the tool of a name. For tests. */
export async function useTool(
  tools: readonly Tool[],
  name: string,
  input: Json,
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  return tool.execute(await parseInput(tool, input), { ...testToolContext, ...context })
}
