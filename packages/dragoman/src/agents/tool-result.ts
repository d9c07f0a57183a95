import { toJson as copyAsJson, type DataEvent, type Json } from '../events/index.ts'
import { ToolError } from './tool-error.ts'

/**
 * A file of a tool: its content, or its web address. Models that take such files see it, and so do pages.
 *
 * @example
 * const file: ToolFile = { mediaType: 'image/png', filename: 'chart.png', content: await chart.png() }
 */
export type ToolFile = {
  readonly mediaType: string
  readonly filename?: string
  readonly content: Uint8Array | URL
}

/** The same in every copy of the package. */
const TOOL_RESULT: unique symbol = Symbol.for('dragoman.tool-result')

/**
 * The result of a tool. `output` is data for cards and programs, absent if the tool returned nothing; `text` is for
 * the model and string-only clients. `data` is sent after it, as a part of the message that the model does not read.
 * `files` go to models and pages; the text should name them, for models that take none.
 *
 * @example
 * const result: ToolResult = toolResult({ output: { hits: [] }, text: 'Nothing was found.' })
 */
export type ToolResult<Output = unknown> = {
  readonly [TOOL_RESULT]: true
  /** A type without a value: that of the output before it was JSON. */
  readonly '~output'?: Output
  readonly output?: Json
  readonly text: string
  readonly data?: Pick<DataEvent, 'name' | 'value'>
  readonly files?: readonly ToolFile[]
}

/**
 * Returns an output together with a text for the model that the output alone does not determine.
 * A plain object with the fields `output` and `text` is an output like any other.
 *
 * @throws ToolError if JSON cannot hold the output or the data
 *
 * @example
 * ```ts
 * const search = defineTool({
 *   name: 'search',
 *   description: 'Searches the catalog.',
 *   inputSchema: z.object({ words: z.string() }),
 *   execute: async ({ words }) => {
 *     const { hits, total } = await catalog.search(words)
 *     return toolResult({ output: hits, text: `The first ${hits.length} of ${total} hits.` })
 *   },
 * })
 * ```
 */
export function toolResult<Output>({
  output,
  text,
  data,
  files = [],
}: {
  output: Output
  text: string
  data?: { readonly name: string; readonly value: unknown } | undefined
  files?: readonly ToolFile[] | undefined
}): ToolResult<Output> {
  const result = {
    [TOOL_RESULT]: true,
    ...(output !== undefined && { output: toJson(output) }),
    text,
    ...(files.length > 0 && { files }),
  } as const
  return data ? { ...result, data: { name: data.name, value: toJson(data.value) } } : result
}

/** Whether `toolResult` made the value. */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && TOOL_RESULT in value
}

/** The text of an output for the model: a string as it is, all else as JSON, nothing as `null`. */
export function outputText(output: Json = null): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** The value as the log stores it: `undefined` as `null`. @throws ToolError if JSON cannot hold it */
export function toJson(output: unknown): Json {
  try {
    return copyAsJson(output)
  } catch (cause) {
    throw notJsonError(cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function notJsonError(reason: string, cause?: unknown): ToolError {
  const remedy = 'Return strings, numbers, booleans, null, arrays and plain objects.'
  return new ToolError(`The output of the tool is not JSON: ${reason}. ${remedy}`, { cause })
}
