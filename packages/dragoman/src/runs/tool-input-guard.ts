import type { EngineCall, EngineEvent } from '../agents/index.ts'
import { toJson, type Json } from '../events/index.ts'

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
    if (isDelta(event)) requireText(event)
    if (event.type === 'tool.delta') {
      const bytes = (streamedBytes.get(event.callId) ?? 0) + Buffer.byteLength(event.delta)
      streamedBytes.set(event.callId, bytes)
      if (bytes <= maxBytes) return event
      refused.set(event.callId, tooLarge)
      return undefined
    }
    if (event.type !== 'tool.called') return isDelta(event) ? event : storable(event)
    const input = refused.has(event.callId) ? undefined : accepted(event.callId, event.input)
    return { ...storable({ ...event, input: null }), input: input ?? null }
  }
  /** A copy of an input, or nothing if it is refused. */
  const accepted = (callId: string, input: Json): Json | undefined => {
    const result = copyInput(input, maxBytes)
    if ('value' in result) return result.value
    refused.set(callId, result.problem)
    return undefined
  }
  return {
    accept,
    check(call) {
      const { callId, input } = call
      if ('value' in input && !refused.has(callId)) accepted(callId, input.value)
      const problem = refused.get(callId)
      return problem === undefined ? call : { ...call, input: { unreadable: '', problem } }
    },
  }
}

function copyInput(input: Json, maxBytes: number): { value: Json } | { problem: string } {
  const tooLarge = { problem: `is larger than ${maxBytes} bytes` }
  try {
    const value = toJson(input, { maxCharacters: maxBytes, maxDepth: MAX_INPUT_DEPTH })
    return Buffer.byteLength(JSON.stringify(value)) <= maxBytes ? { value } : tooLarge
  } catch (error) {
    if (error instanceof RangeError) return tooLarge
    return { problem: `is not usable: ${error instanceof Error ? error.message : 'it is not JSON'}` }
  }
}

/** An engine's event as the log stores it: it may hold anything, and the engine may change it later. */
function storable<Event extends EngineEvent>(event: Event): Event {
  try {
    return toJson(event) as unknown as Event
  } catch (cause) {
    throw new TypeError(`The engine emitted a ${event.type} event that is not JSON.`, { cause })
  }
}

function requireText(event: Extract<EngineEvent, { delta: string }>): void {
  if (typeof event.delta === 'string') return
  throw new TypeError(`The engine emitted a ${event.type} event whose delta is a ${typeof event.delta}.`)
}

function isDelta(event: EngineEvent): event is Extract<EngineEvent, { delta: string }> {
  return event.type === 'text.delta' || event.type === 'reasoning.delta' || event.type === 'tool.delta'
}
