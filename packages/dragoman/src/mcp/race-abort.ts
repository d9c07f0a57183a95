import { raceAbort as raceSignal } from '../async/index.ts'

/** Awaits a promise until the signal aborts. @throws the signal's reason; the promise continues unobserved */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return raceSignal(promise, signal, (): Promise<never> => Promise.reject(signal.reason))
}
