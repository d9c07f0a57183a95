import { HOOK_TIMEOUT_MS, withTimeout } from '../async/index.ts'
import type { InputSchema } from './input-schema.ts'
import type { ProviderTool } from './provider-tool.ts'
import { readOutputs } from './read-outputs.ts'
import { toolResultFiles, toolResultText, type ToolResultOutput } from './tool-result-output.ts'
import type { ApprovalContext, PreviewContext, ToolContext, ToolPreview } from './tool-context.ts'
import { ToolError } from './tool-error.ts'
import { checkToolFields } from './check-tool-fields.ts'
import { isToolResult, outputText, toolResult, type ToolResult } from './tool-result.ts'

const DEFAULT_TIMEOUT_MS = 60_000

/** The same in every copy of the package. */
const TOOL: unique symbol = Symbol.for('dragoman.tool')

/**
 * A tool as the server runs it. `defineTool` creates one; tools of other libraries are converted. Its types reach the
 * page: see `InferUIMessage` of `@dragoman/client/use-chat`.
 *
 * @example
 * const tools: readonly Tool[] = [roll]
 * const typed: Tool<'roll', { sides: number }, number> = roll
 */
export interface Tool<Name extends string = string, Input = unknown, Output = unknown> {
  readonly [TOOL]: true
  /** Types without a value. */
  readonly '~types'?: { readonly input: Input; readonly output: Output }
  readonly name: Name
  readonly description: string
  readonly inputSchema: InputSchema
  readonly idempotent: boolean
  readonly timeoutMs: number
  readonly answerWithinMs?: number
  /** Set for a tool that a provider defines. */
  readonly provider?: ProviderTool
  /** Set for a tool that the client runs, whatever tools its request brings. `confirm`: the user is asked before. */
  readonly client?: { readonly confirm: boolean }
  needsApproval(input: unknown, call: ApprovalContext): boolean | PromiseLike<boolean>
  preview?(input: unknown, call: PreviewContext): ToolPreview | PromiseLike<ToolPreview>
  execute(input: unknown, context: ToolContext): Promise<ToolResult>
}

/**
 * The fields of a tool.
 *
 * @example
 * const definition: ToolDefinition<{ sides: number }, number> = {
 *   name: 'roll',
 *   description: 'Rolls one die.',
 *   inputSchema: z.object({ sides: z.int().min(2) }),
 *   execute: ({ sides }) => 1 + Math.floor(Math.random() * sides),
 * }
 * const roll = defineTool(definition)
 */
export type ToolDefinition<Input, Output, Name extends string = string> = {
  /** 1 to 64 letters, digits, `-` and `_`, unique within the agent. */
  readonly name: Name
  /** Written for the model. */
  readonly description: string
  /**
   * Any schema that has a JSON form: Zod 4, ArkType, Valibot with `toStandardJsonSchema()`, `jsonSchema()` of
   * the AI SDK.
   */
  readonly inputSchema: InputSchema<Input>
  /**
   * Running the tool twice has the same effect as running it once. After a crash, only such a tool is run again.
   * The outcome of any other call that began is unknown.
   */
  readonly idempotent?: boolean
  /** Whether a person must approve the call before it runs. */
  readonly needsApproval?: boolean | ((input: Input, call: ApprovalContext) => boolean | PromiseLike<boolean>)
  /**
   * Shows the person who is asked what the call would do, such as the diff of a file. It must change nothing. The input
   * is shown as well.
   */
  preview?(input: Input, call: PreviewContext): ToolPreview | PromiseLike<ToolPreview>
  /** 60,000 by default. */
  readonly timeoutMs?: number
  /** A question that is not answered in time fails its call as `expired`. The server's setting by default. */
  readonly answerWithinMs?: number
  /**
   * Returns the output: any value that JSON can hold. An async iterable, such as an async generator, yields
   * preliminary outputs, the last of which is the output. Throws to fail.
   */
  execute(input: Input, context: ToolContext): Output | PromiseLike<Output> | AsyncIterable<Output>
  /**
   * Returns the text for the model, or a `content` of texts and files as in the AI SDK. By default it is the output: a
   * string as it is, all else as JSON.
   */
  toModelOutput?(call: {
    readonly toolCallId: string
    readonly input: Input
    readonly output: NoInfer<Exclude<Output, ToolResult>>
  }): ToolResultOutput | PromiseLike<ToolResultOutput>
}

/** What `execute` returns, without the wrapper of `toolResult`. */
type ReturnedOutput<Output> = Output extends ToolResult<infer Wrapped> ? Wrapped : Output

/**
 * Defines a tool. `execute` returns the output, or throws to fail: the model reads the error's message, and the run
 * continues. A `ToolError` may hide its message.
 *
 * @throws ServiceError `invalid-request` for a field that is unknown, missing or wrong
 *
 * @example
 * ```ts
 * const roll = defineTool({
 *   name: 'roll',
 *   description: 'Rolls one die.',
 *   inputSchema: z.object({ sides: z.int().min(2) }),
 *   execute: ({ sides }) => 1 + Math.floor(Math.random() * sides),
 * })
 * ```
 */
export function defineTool<Input, Output, const Name extends string = string>(
  tool: ToolDefinition<Input, Output, Name>,
): Tool<Name, Input, ReturnedOutput<Output>> {
  checkToolFields(tool)
  const { name, description, inputSchema, answerWithinMs, preview } = tool
  return {
    [TOOL]: true,
    name,
    description,
    inputSchema,
    idempotent: tool.idempotent ?? false,
    timeoutMs: tool.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(answerWithinMs !== undefined && { answerWithinMs }),
    needsApproval: (input, call) =>
      typeof tool.needsApproval === 'function'
        ? tool.needsApproval(input as Input, call)
        : (tool.needsApproval ?? false),
    ...(preview && {
      preview: (input: unknown, call: PreviewContext) => preview.call(tool, input as Input, call),
    }),
    async execute(validInput, context) {
      const input = validInput as Input
      const output = (await readOutputs(await tool.execute(input, context), context.progress)) as Output
      if (isToolResult(output)) return output
      const call = { toolCallId: context.callId, input, output: output as Exclude<Output, ToolResult> }
      return resultOf(tool, call)
    },
  }
}

async function resultOf<Input, Output>(
  tool: ToolDefinition<Input, Output>,
  call: Parameters<NonNullable<ToolDefinition<Input, Output>['toModelOutput']>>[0],
): Promise<ToolResult> {
  const result = toolResult({ output: call.output, text: '' })
  if (!tool.toModelOutput) return { ...result, text: outputText(result.output) }
  const { toModelOutput } = tool
  // Not the run's signal: the tool has run, and its output counts.
  const forModel = await withTimeout(new AbortController().signal, HOOK_TIMEOUT_MS, async () =>
    toModelOutput.call(tool, call),
  )
  const text = toolResultText(forModel)
  if (text !== undefined)
    return toolResult({ output: call.output, text, files: await toolResultFiles(forModel) })
  throw new ToolError(
    `${tool.name} has run, but its toModelOutput returned no text. Return a string, or { type: 'text', value }.`,
  )
}

/** Whether `defineTool` made the value. */
export function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && TOOL in value
}
