import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { readQuery } from 'dragoman/surfaces'
import { isWithin } from '../workspace/is-within.ts'
import { listFolder } from '../workspace/list-folder.ts'
import { resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** Folders in one answer. */
const MAX_FOLDERS = 1000

const query = z.object({
  path: z
    .string()
    .exactOptional()
    .describe('A served folder, by its absolute path. Without it, the roots are listed.'),
})

const foldersShape = z.object({
  path: z.string().nullable().describe('The folder that was asked for, as a real path.'),
  parent: z.string().nullable().describe('The folder above it, unless it is a root.'),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
  truncated: z.boolean().describe('Whether there are more.'),
})
type Folders = z.infer<typeof foldersShape>

const listFolders: Operation = {
  group: 'Files',
  summary: 'List the folders that can be worked in',
  description:
    'The served roots, or the folders in one of them. Links, hidden folders and places that are closed to ' +
    'tools are left out.',
  query,
  responses: {
    200: {
      description: 'The folders, by name.',
      json: foldersShape,
      examples: {
        roots: {
          path: null,
          parent: null,
          folders: [{ name: 'project', path: '/home/me/project' }],
          truncated: false,
        },
      },
    },
  },
  errors: ['forbidden', 'unavailable'],
}

/** Lets a user choose a workspace: the served folders, level by level. */
export function servedFolderRoutes(workspaces: Workspaces): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/folders', describeRoute(listFolders), async (c) => {
    const { path } = readQuery(c, query)
    return c.json(path === undefined ? await listRoots(workspaces) : await listBelow(workspaces, path))
  })
}

async function listRoots({ roots }: Workspaces): Promise<Folders> {
  const paths = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)))
  const folders = [...new Set(paths)].flatMap((path) =>
    path === undefined ? [] : [{ name: basename(path) || path, path }],
  )
  return { path: null, parent: null, folders, truncated: false }
}

/** @throws ServiceError as `Workspaces.open` */
async function listBelow(workspaces: Workspaces, path: string): Promise<Folders> {
  const workspace = await workspaces.open({ workspaceRoot: path })
  const { root, bases } = workspace
  const place = await resolveWorkspacePath(workspace, '.')
  const { entries, truncated } = await listFolder(place, MAX_FOLDERS)
  const isOpen = (folder: string): boolean =>
    place.bounds.closed.every((denied) => !isWithin(denied.path, folder))
  const folders = entries
    .filter(({ name, type }) => type === 'directory' && !name.startsWith('.'))
    .map(({ name }) => ({ name, path: join(root, name) }))
    .filter((folder) => isOpen(folder.path))
  return { path: root, parent: bases.includes(root) ? null : dirname(root), folders, truncated }
}
