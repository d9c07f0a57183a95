import { ignoreRules } from '../search/ignore-rules.ts'
import { resolveSearchRoot, toDisplayPath } from '../search/resolve-search-root.ts'
import { listFolder, type Entry } from '../workspace/list-folder.ts'
import { resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import type { Workspace } from '../workspace/workspaces.ts'

const MAX_ENTRIES = 1000

type TreeEntry = Pick<Entry, 'name' | 'type'> & { readonly path: string }
type TreeFolder = {
  readonly path: string
  readonly entries: readonly TreeEntry[]
  readonly truncated: boolean
}

/** The folders and files of a folder that a search would look at, folders first. @throws ServiceError as a search */
export async function listTreeFolder(workspace: Workspace, path?: string): Promise<TreeFolder> {
  const { ground, where } = await resolveSearchRoot(workspace, path, '')
  const { entries, truncated } = await listFolder(
    await resolveWorkspacePath(workspace, path ?? '.'),
    MAX_ENTRIES,
  )
  const rules = ignoreRules(ground)
  const visible: TreeEntry[] = []
  for (const { name, type } of entries) {
    const below = ground.start === '' ? name : `${ground.start}/${name}`
    const isHidden =
      ground.skip.includes(name) || (await rules.ignores(type === 'directory' ? `${below}/` : below))
    if (!isHidden) visible.push({ name, type, path: toDisplayPath(workspace, ground, below) })
  }
  const rank = ({ type }: TreeEntry): number => (type === 'directory' ? 0 : 1)
  return { path: where, entries: visible.toSorted((a, b) => rank(a) - rank(b)), truncated }
}
