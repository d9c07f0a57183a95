import type { ServiceError } from '../errors.ts'
import type { RunEvent, StopReason } from '../events/index.ts'

/**
 * Why a run's signal aborts. `suspended`: only its questions are left; `refused`: the store takes nothing more;
 * `closing`: this process ends; `deadline`: it has worked for its time; `crashed`: its attempts made no progress;
 * `failed`: a limit ends it.
 */
export type AbortCause =
  | { readonly kind: 'stopped'; readonly by: string; readonly because?: StopReason }
  | { readonly kind: 'deadline'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  | { readonly kind: 'suspended' | 'closing' | 'refused' | 'crashed' }

export function abortCause({ aborted, reason }: AbortSignal): AbortCause | undefined {
  return aborted ? (reason as AbortCause) : undefined
}

/** The cause of a run that was asked to stop. */
export function stopCause({ by, because }: Extract<RunEvent, { type: 'run.stop-requested' }>): AbortCause {
  return { kind: 'stopped', by, ...(because && { because }) }
}
