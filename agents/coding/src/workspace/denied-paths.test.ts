import { mkdir, rmdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { workspaceSearch } from '../search/workspace-search.ts'
import { plainSearcher } from '../search/plain-searcher.ts'
import { createDeniedPaths } from './denied-paths.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'
import { createWorkspaces } from './workspaces.ts'

describe('the home folder of the server', () => {
  it('is closed inside a served folder: for reads, search and as a workspace', async () => {
    const { root } = await servedFolder({
      'a.txt': 'a key',
      '.config/dragoman/models.yaml': 'a key',
      '.config/dragoman/agents/coding/agent.json': '{}',
    })
    const home = join(root, '.config/dragoman')
    const served = createWorkspaces([root], createDeniedPaths(home, []))
    const workspace = await served.open({})
    const caller = { userId: 'ada', signal: new AbortController().signal }
    const find = workspaceSearch(async () => plainSearcher())

    for (const path of ['.config/dragoman', '.config/dragoman/models.yaml', '.config/dragoman/new'])
      await expect(resolveWorkspacePath(workspace, path)).rejects.toMatchObject({ code: 'forbidden' })
    for (const folder of [home, join(home, 'agents')])
      await expect(served.open({ workspaceRoot: folder })).rejects.toMatchObject({ code: 'forbidden' })
    const { items } = await find.lines(workspace, { pattern: 'key' }, caller)
    expect(items.map(({ path }) => path)).toEqual(['a.txt'])
    expect((await find.files(workspace, { pattern: '**/*' }, caller)).items).toEqual(['a.txt'])
    expect((await resolveWorkspacePath(workspace, '.config/other')).displayPath).toBe('.config/other')
  })

  it('may contain a root of the owner', async () => {
    const { root: home } = await servedFolder()
    await mkdir(join(home, 'work/deep'), { recursive: true })
    await writeFile(join(home, 'work/a.txt'), 'x')
    const served = createWorkspaces([join(home, 'work')], createDeniedPaths(home, []))
    const workspace = await served.open({ workspaceRoot: join(home, 'work/deep') })

    expect((await resolveWorkspacePath(workspace, 'b.txt')).displayPath).toBe('b.txt')
  })
})

describe('a hidden place that does not exist', () => {
  const pathsOf = async (root: string) =>
    (await createDeniedPaths(undefined, [root]).all()).map(({ path }) => path)

  it('is closed below the deepest folder above it, also behind a link', async () => {
    const { root } = await servedFolder({ 'dotfiles/config/a.txt': '' })
    await symlink('dotfiles/config', join(root, '.config'))
    await symlink('dotfiles/keys', join(root, '.ssh'))

    const places = await createDeniedPaths(undefined, [root]).all()

    const folderOf = (path: string) => places.find((place) => place.path === join(root, path))?.missingIn
    expect(folderOf('.npmrc')).toBe(root)
    expect(folderOf('.local/share/keyrings')).toBe(root)
    expect(folderOf('dotfiles/config/gh')).toBe(join(root, 'dotfiles/config'))
    expect(folderOf('dotfiles/keys')).toBe(join(root, 'dotfiles'))
  })

  it('is one that exists as soon as it does, and stays closed when it is gone', async () => {
    const { root } = await servedFolder()
    const places = createDeniedPaths(undefined, [root])
    const find = async () => (await places.all()).filter(({ path }) => path === join(root, '.ssh'))
    await mkdir(join(root, '.ssh'))
    expect(await find()).toEqual([{ path: join(root, '.ssh'), id: expect.any(String) }])
    await rmdir(join(root, '.ssh'))

    expect(await find()).toContainEqual({ path: join(root, '.ssh'), missingIn: root })
  })

  it('is found by a name with a star only if it exists', async () => {
    const { root } = await servedFolder({
      '.config/Code/User/globalStorage/state.vscdb': 'a key',
      '.config/dragoman-old/log-key': 'a key',
      '.config/app/a.txt': '',
      '.some_history': 'a key',
    })

    const paths = await pathsOf(root)

    for (const path of ['.config/Code/User/globalStorage', '.config/dragoman-old', '.some_history'])
      expect(paths).toContain(join(root, path))
    expect(paths.filter((path) => path.includes('*') || path.includes('config/app'))).toEqual([])
  })
})
