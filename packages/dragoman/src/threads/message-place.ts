import type { ClientTurn } from '../events/index.ts'

/** Where a new message stands: after `parentId`, and after `unknown` turns that we did not know. */
export type MessagePlace = { readonly parentId?: string; readonly unknown: readonly ClientTurn[] }
