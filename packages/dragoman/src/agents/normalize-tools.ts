import { fromAiSdk, isAiSdkTool, type AiSdkTool } from './foreign-tools/ai-sdk.ts'
import { fromPi, isPiTool, type PiTool } from './foreign-tools/pi.ts'
import { ServiceError } from '../errors.ts'
import { checkToolFields, toolDefinitionError } from './check-tool-fields.ts'
import { isTool, type Tool } from './tool.ts'

type AnyTool = Tool | AiSdkTool | PiTool

/**
 * The tools of an agent: a list, or an object that names them, as in the AI SDK and its MCP clients. Tools of
 * `defineTool`, `tool()` of AI SDK 5 to 7 and `AgentTool` of pi may be mixed.
 *
 * @example
 * ```ts
 * const inputSchema = z.object({ city: z.string() })
 * const weather = tool({ inputSchema, execute: async ({ city }) => `Rain in ${city}.` })
 * const tools: AgentTools = { roll, weather, ...(await mcpClient.tools()) }
 * ```
 */
export type AgentTools = readonly AnyTool[] | { readonly [name: string]: AnyTool }

/**
 * Converts an agent's tools to tools of this server. A tool from an object has its key as its name.
 *
 * @throws ServiceError `invalid-request` for a tool that cannot be used, and for two tools of one name
 *
 * @example
 * ```ts
 * const [first] = normalizeTools({ roll })
 * ```
 */
export function normalizeTools(tools: AgentTools): readonly Tool[] {
  const { usable, faults } = usableTools(tools)
  for (const fault of faults) throw fault
  return usable
}

/**
 * The tools that can be used, and an error for each other one. The second of two tools of one name cannot.
 */
export function usableTools(tools: AgentTools): {
  readonly usable: readonly Tool[]
  readonly faults: readonly unknown[]
} {
  const usable = new Map<string, Tool>()
  const faults: unknown[] = []
  const add = (convert: () => Tool): void => {
    try {
      const tool = convert()
      if (usable.has(tool.name))
        throw toolDefinitionError(tool.name, 'name is used by two tools. Rename one of them.')
      usable.set(tool.name, tool)
    } catch (error) {
      faults.push(error)
    }
  }
  if (Array.isArray(tools))
    (tools as readonly AnyTool[]).forEach((tool, index) => add(() => normalizeListItem(tool, index)))
  else for (const [name, tool] of Object.entries(tools)) add(() => normalizeTool(name, tool))
  return { usable: [...usable.values()], faults }
}

function normalizeListItem(tool: AnyTool, index: number): Tool {
  if (isObject(tool) && (isTool(tool) || isPiTool(tool))) return normalizeTool(tool.name, tool)
  const remedy =
    isObject(tool) && isAiSdkTool(tool)
      ? 'has no name. Pass it to defineTool(), or write tools: { NAME: tool } for a tool of the AI SDK.'
      : 'is no tool. Use defineTool(), tool() of the AI SDK, or an AgentTool of pi.'
  throw new ServiceError('invalid-request', `tools[${index}] ${remedy}`)
}

function normalizeTool(name: string, tool: AnyTool): Tool {
  if (isObject(tool) && isTool(tool)) {
    const renamed = tool.name === name ? tool : { ...tool, name }
    const { provider: _, client: _client, ...fields } = renamed
    checkToolFields(fields)
    return renamed
  }
  if (isObject(tool) && isPiTool(tool)) return fromPi(name, tool)
  if (isObject(tool) && isAiSdkTool(tool)) return fromAiSdk(name, tool)
  throw toolDefinitionError(
    name,
    'it is no tool. Use defineTool(), tool() of the AI SDK, or an AgentTool of pi.',
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
