export { plainError, stackOf } from './plain-error.ts'
export { hideKeys, scrub, shortenQuotations } from './scrub.ts'
