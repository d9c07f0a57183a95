export { lazy } from './lazy.ts'
export { raceAbort } from './race-abort.ts'
export { semaphore } from './semaphore.ts'
export { withTimeout } from './with-timeout.ts'
