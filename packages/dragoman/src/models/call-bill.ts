import { isServiceError } from '../errors.ts'
import { noUsage, type Usage } from '../events/index.ts'
import type { Watchdog } from './watchdog.ts'

/** Counts a call as it is sent. The function that it returns replaces the cost. */
export type ChargeCall = () => (cost: Usage) => void

/**
 * What a call costs until its first word. A provider's refusal costs nothing. A call that we have cut off costs its
 * prompt, and so does one whose answer has begun: the provider has read it.
 */
export function createCallBill({ signal }: Pick<Watchdog, 'signal'>) {
  let setCost = (_cost: Usage): void => undefined
  let isAccepted = false
  return {
    open(charge: ChargeCall): void {
      setCost = charge()
    },
    /** The provider has begun to answer. */
    accept(cost?: Usage): void {
      isAccepted = true
      if (cost) setCost(cost)
    },
    /** Before `signal` aborts for this error. */
    fail(error: unknown): void {
      // An answer that says nothing is an error of ours. A provider's own error says that it did no work.
      const isRefusal = !signal.aborted && !(isAccepted && isServiceError(error))
      if (isRefusal) setCost(noUsage)
    },
  }
}
