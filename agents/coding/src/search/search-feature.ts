import type { Sandboxes } from '../commands/create-sandboxes.ts'
import type { Feature } from '../feature.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { workspaceSearch, type WorkspaceSearch } from './workspace-search.ts'
import { globFilesTool } from './glob-files.ts'
import { searchFilesTool } from './search-files.ts'
import { chooseSearcher } from './choose-searcher.ts'

/** Finds lines and files. `find` does it for others than the agent. */
export function searchFeature(
  workspaces: Workspaces,
  sandboxes: Pick<Sandboxes, 'detect' | 'wrap'>,
): Feature & { readonly find: WorkspaceSearch } {
  const choice = chooseSearcher(sandboxes)
  const find = workspaceSearch(choice.searcher)
  return {
    tools: [searchFilesTool(workspaces, find), globFilesTool(workspaces, find)],
    find,
    condition: choice.condition,
  }
}
