import { z } from 'zod'

import type { InputSchema } from '../input-schema.ts'
import { readOutputs } from '../read-outputs.ts'
import { toolResultText } from '../tool-result-output.ts'
import { ToolError } from '../tool-error.ts'
import { toolDefinitionError } from '../check-tool-fields.ts'
import type { ProviderTool } from '../provider-tool.ts'
import type { ApprovalContext } from '../tool-context.ts'
import { defineTool, type Tool } from '../tool.ts'
import { callToModelOutput, type ToModelOutput } from './call-to-model-output.ts'

/** A `tool()` of AI SDK 5, 6 or 7, or of an MCP client of theirs. It has no name of its own. */
export type AiSdkTool = {
  readonly inputSchema: unknown
  readonly description?: unknown
  readonly title?: string | undefined
  readonly type?: string | undefined
  readonly id?: string
  readonly args?: object
  readonly isProviderExecuted?: boolean
  readonly contextSchema?: unknown
  readonly metadata?: unknown
  readonly execute?: ((input: never, options: never) => unknown) | undefined
  readonly needsApproval?:
    | boolean
    | ((input: never, options: never) => boolean | PromiseLike<boolean>)
    | undefined
  readonly toModelOutput?: ToModelOutput | undefined
}

export function isAiSdkTool(value: object): value is AiSdkTool {
  return 'inputSchema' in value
}

/**
 * Converts a tool of the AI SDK. `execute` and `needsApproval` get the options of the AI SDK and our own.
 *
 * @throws ServiceError `invalid-request` for a tool that only the AI SDK's own loop can run
 */
export function fromAiSdk(name: string, tool: AiSdkTool): Tool {
  const fault = faultOf(tool)
  if (fault !== undefined) throw toolDefinitionError(name, fault)
  const provider = providerToolOf(tool)
  if (provider?.runsThere) return toolOfProvider(name, provider)
  if (typeof tool.execute !== 'function') return toolOfClient(name, tool)
  return { ...convert(name, tool), ...(provider && { provider }) }
}

function toolOfClient(name: string, tool: AiSdkTool): Tool {
  const execute = (): never => {
    throw new ToolError(`Only the client can run ${name}.`)
  }
  return { ...convert(name, { ...tool, execute }), client: { confirm: tool.needsApproval === true } }
}

/** The provider has described the tool to its models, and runs it. */
function toolOfProvider(name: string, provider: ProviderTool): Tool {
  const tool = defineTool<never, unknown>({
    name,
    description: `The model's provider runs it (${provider.id}).`,
    inputSchema: z.looseObject({}) as InputSchema<never>,
    execute: () => {
      throw new ToolError(`Only the model's provider can run ${name}.`)
    },
  })
  return { ...tool, provider }
}

function providerToolOf({ type, id, args, execute }: AiSdkTool): ProviderTool | undefined {
  if (type !== 'provider' && type !== 'provider-defined') return undefined
  return { id: id as ProviderTool['id'], args: { ...args }, runsThere: typeof execute !== 'function' }
}

function convert(name: string, tool: AiSdkTool): Tool {
  const { description = tool.title ?? '', needsApproval = false } = tool
  return defineTool<never, unknown>({
    name,
    description: description as string,
    inputSchema: tool.inputSchema as InputSchema<never>,
    idempotent: isRepeatable(tool),
    needsApproval:
      typeof needsApproval === 'function'
        ? (input, call) => needsApproval.call(tool, input, optionsOf(call) as never)
        : needsApproval,
    execute: async (input, context) => {
      const options = { ...optionsOf(context), abortSignal: context.signal }
      return throwIfFailed(await readOutputs(tool.execute?.(input, options as never), context.progress))
    },
    ...(tool.toModelOutput && {
      toModelOutput: (call) => callToModelOutput((argument) => tool.toModelOutput?.(argument), call),
    }),
  })
}

function faultOf(tool: AiSdkTool): string | undefined {
  const { type, description, execute, contextSchema, isProviderExecuted, needsApproval } = tool
  if (type === 'provider' || type === 'provider-defined') {
    if (typeof tool.id !== 'string' || !tool.id.includes('.')) return 'it has no id of a provider.'
    return isProviderExecuted === false && typeof execute !== 'function'
      ? 'execute is missing: the provider defines the tool, but this server runs it.'
      : undefined
  }
  if (typeof execute !== 'function' && typeof needsApproval === 'function')
    return 'needsApproval must be true or false: without execute, the client runs the tool.'
  if (typeof description === 'function')
    return 'description must be a string: the model reads it before there is a call.'
  if (contextSchema !== undefined)
    return 'contextSchema is not supported. Let execute use variables of its module instead.'
  return undefined
}

/** The options that every version of the AI SDK passes, in addition to our context. */
function optionsOf<Context extends ApprovalContext>(context: Context) {
  return { ...context, toolCallId: context.callId, messages: [] }
}

/** A result of an MCP server may say that the tool failed. */
function throwIfFailed(output: unknown): unknown {
  const { isError, content } = (output ?? {}) as { isError?: unknown; content?: unknown }
  if (isError !== true || !Array.isArray(content)) return output
  throw new ToolError(
    toolResultText({ type: 'content', value: content }) || 'The tool failed and gave no reason.',
  )
}

/** The annotations of an MCP server for its tool. */
function isRepeatable({ metadata }: AiSdkTool): boolean {
  const hints = (metadata as { annotations?: Record<string, unknown> } | undefined)?.annotations
  return hints?.['readOnlyHint'] === true || hints?.['idempotentHint'] === true
}
