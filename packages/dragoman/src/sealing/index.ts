export { reseal, type ResealResult, type SealedRow } from './reseal.ts'
export { seal, unseal, type SealKeys } from './seal.ts'
