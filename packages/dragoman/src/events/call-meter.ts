import type { Usage } from './run-event.ts'
import { addUsage, noUsage } from './usage.ts'

/**
 * A model call that is about to be sent. `inputTokens`: those of its prompt, by estimate.
 *
 * @example
 * const start: CallStart = { model: 'anthropic:claude-sonnet-5-5', inputTokens: 1200 }
 */
export type CallStart = { readonly model: string; readonly inputTokens: number }

/**
 * Counts model calls for those who pay. What has been sent counts, whatever becomes of it: no call can be taken back
 * by a stop or a lost connection.
 *
 * @example
 * const meter: CallMeter = { charge: ({ inputTokens }) => (cost) => console.log(inputTokens, cost) }
 */
export interface CallMeter {
  /**
   * Charges a call with its prompt. The function that this returns replaces the cost: by the true one once it is known,
   * or by none if the provider has refused the call.
   */
  charge(call: CallStart): (cost: Usage) => void
  /** Whether a call that failed may be made again. Default: it may. */
  readonly hasRoom?: boolean
}

/** The calls that a meter has counted, and what they have cost so far. */
export interface CallTally extends CallMeter {
  readonly calls: readonly { readonly model: string; readonly usage: Usage }[]
  readonly usage: Usage
}

/** `maxCalls`: more are not made after one that failed. */
export function createCallTally(maxCalls = Infinity): CallTally {
  const calls: { readonly model: string; usage: Usage }[] = []
  return {
    calls,
    charge({ model, inputTokens }) {
      const call = { model, usage: promptUsage(inputTokens) }
      calls.push(call)
      return (cost) => void (call.usage = cost)
    },
    get hasRoom() {
      return calls.length < maxCalls
    },
    get usage() {
      return calls.reduce((sum, { usage }) => (usage === noUsage ? sum : addUsage(sum, usage)), noUsage)
    },
  }
}

/** What a call costs of whose answer nothing is known. */
function promptUsage(inputTokens: number): Usage {
  return { inputTokens, outputTokens: 0, estimated: true }
}
