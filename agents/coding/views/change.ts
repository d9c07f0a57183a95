import type { ConsoleKit } from '@dragoman/console/view'

import type { Translate } from './texts.ts'

/** A file that a conversation has changed. */
export type Change = {
  readonly path: string
  readonly state: 'created' | 'edited' | 'deleted' | 'unreadable'
  readonly added: number
  readonly removed: number
  readonly changedByOthers: boolean
  readonly problem?: string
}

export type ChangeList = { readonly workspaceRoot: string; readonly changes: readonly Change[] }

/** What each part of the panel gets. `base`: the address of the thread's files. */
export type PanelPart = { readonly kit: ConsoleKit; readonly t: Translate; readonly base: string }
