import type { ConsoleKit } from '@dragoman/console/view'

import type { FileChange } from '../src/changes/file-change.ts'
import type { Translate } from './texts.ts'

export type ChangeList = { readonly workspaceRoot: string; readonly changes: readonly FileChange[] }

/** What each part of the panel gets. `base`: the address of the thread's files. */
export type PanelPart = { readonly kit: ConsoleKit; readonly t: Translate; readonly base: string }
