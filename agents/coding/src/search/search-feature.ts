import type { Sandboxes } from '../commands/sandbox.ts'
import type { Feature } from '../feature.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { finding, type Finding } from './find.ts'
import { globFilesTool } from './glob-files.ts'
import { searchFilesTool } from './search-files.ts'
import { chooseSearcher } from './choose-searcher.ts'

/** Finds lines and files. `find` does it for others than the agent. */
export function searchFeature(
  workspaces: Workspaces,
  sandboxes: Pick<Sandboxes, 'found' | 'around'>,
): Feature & { readonly find: Finding } {
  const which = chooseSearcher(sandboxes)
  const find = finding(which.searcher)
  return {
    tools: [searchFilesTool(workspaces, find), globFilesTool(workspaces, find)],
    find,
    condition: which.condition,
  }
}
