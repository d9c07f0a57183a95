import { mkdir, writeFile } from 'node:fs/promises'
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
