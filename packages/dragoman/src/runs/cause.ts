/**
 * Why a run's signal aborts. `waiting`: it is parked; `refused`: the store takes nothing more; `closing`: this process
 * goes; `deadline`: it has worked for its time.
 */
export type Cause =
  | { readonly kind: 'stopped'; readonly by: string }
  | { readonly kind: 'deadline'; readonly seconds: number }
  | { readonly kind: 'waiting' | 'closing' | 'refused' | 'crashed' }
