import type { EngineCall, EngineEvent } from '../agents/index.ts'
import type { Json } from '../events/index.ts'

/** Levels of nesting that the input of a tool call may have. What is nested deeper overflows the code that walks it. */
const MAX_INPUT_DEPTH = 100

/** The inputs of one run's calls, as the model writes them. */
export interface ToolInputGuard {
  /**
   * What of an event the log takes: nothing of an input that has grown too large, and no input that cannot be stored.
   */
  accept(event: EngineEvent): EngineEvent | undefined
  /** The call as it may be run: a refused input is unreadable, with the reason. */
  check(call: EngineCall): EngineCall
}

export function createToolInputGuard(maxBytes: number): ToolInputGuard {
  /** By the engine's id of the call. */
  const streamedBytes = new Map<string, number>()
  const refused = new Map<string, string>()
  const tooLarge = `is larger than ${maxBytes} bytes`

  const accept: ToolInputGuard['accept'] = (event) => {
    if (event.type === 'tool.delta') {
      const bytes = (streamedBytes.get(event.callId) ?? 0) + Buffer.byteLength(event.delta)
      streamedBytes.set(event.callId, bytes)
      if (bytes <= maxBytes) return event
      refused.set(event.callId, tooLarge)
      return undefined
    }
    if (event.type !== 'tool.called') return event
    const reason = refused.get(event.callId) ?? refusal(event.input)
    if (reason === undefined) return event
    refused.set(event.callId, reason)
    return { ...event, input: null }
  }
  const refusal = (input: Json): string | undefined => {
    if (depthOf(input) > MAX_INPUT_DEPTH) return `is nested deeper than ${MAX_INPUT_DEPTH} levels`
    return Buffer.byteLength(JSON.stringify(input)) > maxBytes ? tooLarge : undefined
  }
  return {
    accept,
    check(call) {
      const because =
        refused.get(call.callId) ?? ('value' in call.input ? refusal(call.input.value) : undefined)
      return because === undefined ? call : { ...call, input: { unreadable: '', problem: because } }
    },
  }
}

/** Level by level, as recursion would overflow; it stops below the deepest level that is allowed. */
function depthOf(value: Json): number {
  let depth = 0
  for (let level: readonly Json[] = [value]; depth <= MAX_INPUT_DEPTH; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0) return depth
  }
  return depth
}
