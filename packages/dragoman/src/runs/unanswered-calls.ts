import { createCallTally, noUsage, type CallMeter, type Usage } from '../events/index.ts'

/**
 * The model calls of an attempt, as its engine sends them. The log has nothing of a call before its first word: what is
 * cut off before that counts for the run, and for none of its steps.
 */
export interface UnansweredCalls extends CallMeter {
  /** A step has begun or ended: the call that was sent last is its own. */
  answer(): void
  /** The prompt of the latest step, by estimate. Undefined if its engine has sent no call. */
  readonly promptTokens: number | undefined
  /** What calls have cost that belong to no step. */
  readonly usage: Usage
}

export function createUnansweredCalls(): UnansweredCalls {
  const tally = createCallTally()
  let last: { readonly inputTokens: number; readonly setCost: (cost: Usage) => void } | undefined
  let promptTokens: number | undefined
  return {
    charge(call) {
      const { inputTokens } = call
      const setCost = tally.charge(call)
      last = { inputTokens, setCost }
      return setCost
    },
    answer() {
      if (!last) return
      promptTokens = last.inputTokens
      last.setCost(noUsage)
      last = undefined
    },
    get promptTokens() {
      return promptTokens
    },
    get usage() {
      return tally.usage
    },
  }
}
