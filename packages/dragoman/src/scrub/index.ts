export { plainError, stackOf } from './plain-error.ts'
export { hideKeys, scrub } from './scrub.ts'
