export {
  assignConnection,
  countConnection,
  countUnsent,
  isResponding,
  paceConnection,
  releaseConnection,
} from './connection-load.ts'
export { limitPipelining } from './limit-pipelining.ts'
export { createLoadAccount } from './load-account.ts'
export type { Hold, LoadAccount, LoadShare } from './load-account.ts'
export { createLoopTurns } from './loop-turns.ts'
export { toLoadLimits } from './load-limits.ts'
export { createPageReader, type PageReader } from './page-reader.ts'
export { isReceiving, joinPieces, PIECE_BYTES, watchBody } from './request-body.ts'
export { beginRequest, type RequestLoad } from './request-load.ts'
export { cutIfStalled } from './stalled-reader.ts'
