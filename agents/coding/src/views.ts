import type { View } from 'dragoman/modules'

const module = (name: string): URL => new URL(`../page/${name}.js`, import.meta.url)

/** The choice of a folder, the cards of its tools, and the panel of changes in the console. */
export const views: readonly View[] = [
  { kind: 'welcome', module: module('coding-welcome') },
  { kind: 'card', module: module('edit-card'), tools: ['write_file', 'edit_file', 'diff'] },
  { kind: 'card', module: module('command-card'), tools: ['execute_command'], isLive: true },
  { kind: 'panel', module: module('changes-panel'), title: { en: 'Changes', zh: '更改' } },
]
