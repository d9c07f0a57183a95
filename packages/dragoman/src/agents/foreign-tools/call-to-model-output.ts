import { toolResultText, type ToolResultOutput } from '../tool-result-output.ts'

/** `toModelOutput` of a tool of AI SDK 5, 6 or 7. */
export type ToModelOutput = (argument: never) => unknown

type Call = { readonly toolCallId: string; readonly input: unknown; readonly output: unknown }

/**
 * Calls a `toModelOutput` of any version. AI SDK 6 and 7 pass `{ toolCallId, input, output }`, and AI SDK 5
 * passes the output itself. Nothing in the tool names its version. So the function is first called as in AI SDK
 * 7. If the first field that it reads is none of these three, it was written for AI SDK 5.
 */
export async function callToModelOutput(toModelOutput: ToModelOutput, call: Call): Promise<ToolResultOutput> {
  const callAsV5 = (): ToolResultOutput => toModelOutput(call.output as never) as ToolResultOutput
  const { argument, firstField } = observe(call)
  try {
    const result = await toModelOutput(argument as never)
    const field = firstField()
    if (field === undefined || !Object.hasOwn(call, field)) return callAsV5()
    // The output has a field of that name itself, and no text came of reading it from the call.
    if (toolResultText(result) === undefined && isFieldOf(call.output, field)) return callAsV5()
    return result as ToolResultOutput
  } catch (error) {
    const field = firstField()
    const isV7 = field !== undefined && Object.hasOwn(call, field) && !isFieldOf(call.output, field)
    if (isV7) throw error
    return callAsV5()
  }
}

/**
 * The call, and which of its fields was read first. Code that takes the object as a whole reads `toJSON` or
 * lists its keys.
 */
function observe(call: Call): { argument: Call; firstField: () => PropertyKey | undefined } {
  let first: PropertyKey | undefined
  const argument = new Proxy(call, {
    get(target, field) {
      first ??= field
      return Reflect.get(target, field) as unknown
    },
    has(target, field) {
      first ??= field
      return Reflect.has(target, field)
    },
    ownKeys(target) {
      first ??= 'all of them'
      return Reflect.ownKeys(target)
    },
  })
  return { argument, firstField: () => first }
}

function isFieldOf(value: unknown, field: PropertyKey): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
}
