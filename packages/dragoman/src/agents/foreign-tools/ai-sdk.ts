import { loopTurns } from '../../async/index.ts'
import type { Json } from '../../events/index.ts'
import type { InputSchema } from '../input-schema.ts'
import { toolResultText } from '../tool-result-output.ts'
import { ToolError } from '../tool-error.ts'
import { toolDefinitionError } from '../check-tool-fields.ts'
import { defineTool, type ApprovalContext, type Tool, type ToolContext } from '../tool.ts'
import { callToModelOutput, type ToModelOutput } from './call-to-model-output.ts'

/** A `tool()` of AI SDK 5, 6 or 7, or of an MCP client of theirs. It has no name of its own. */
export type AiSdkTool = {
  readonly inputSchema: unknown
  readonly description?: unknown
  readonly title?: string | undefined
  readonly type?: string | undefined
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
  const { description = tool.title ?? '', needsApproval = false } = tool
  const fault = faultOf(tool)
  if (fault !== undefined) throw toolDefinitionError(name, fault)
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
      return throwIfFailed(await readLast(tool.execute?.(input, options as never), context.progress))
    },
    ...(tool.toModelOutput && {
      toModelOutput: (call) => callToModelOutput((argument) => tool.toModelOutput?.(argument), call),
    }),
  })
}

function faultOf({ type, description, execute, contextSchema }: AiSdkTool): string | undefined {
  if (type === 'provider' || type === 'provider-defined')
    return 'the provider defines it. Only tools that run on this server are supported.'
  if (typeof execute !== 'function')
    return 'execute is missing. Tools that the client runs come with its request: leave the tool out here.'
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

/** An async iterable yields preliminary outputs; the last one is the output. */
async function readLast(returned: unknown, progress: ToolContext['progress']): Promise<unknown> {
  if (!isAsyncIterable(returned)) return returned
  let last: unknown
  const turn = loopTurns()
  for await (const output of returned) {
    last = output
    progress({ output: output as Json })
    await turn()
  }
  return last
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
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
