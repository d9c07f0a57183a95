import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { finding } from '../search/find.ts'
import { plainSearcher } from '../search/plain-searcher.ts'
import { closedPlaces } from './closed-places.ts'
import { placeIn } from './place.ts'
import { workspaces } from './workspaces.ts'

describe('the server’s own folder', () => {
  it('is closed where it lies in a served one: neither read, nor searched, nor worked in', async () => {
    const { root } = await servedFolder({
      'a.txt': 'a key',
      '.config/dragoman/models.yaml': 'a key',
      '.config/dragoman/agents/coding/agent.json': '{}',
    })
    const home = join(root, '.config/dragoman')
    const served = workspaces([root], closedPlaces(home, []))
    const workspace = await served.open({})
    const { signal } = new AbortController()
    const find = finding(async () => plainSearcher())

    for (const path of ['.config/dragoman', '.config/dragoman/models.yaml', '.config/dragoman/new'])
      await expect(placeIn(workspace, path)).rejects.toMatchObject({ code: 'forbidden' })
    for (const folder of [home, join(home, 'agents')])
      await expect(served.open({ workspaceRoot: folder })).rejects.toMatchObject({ code: 'forbidden' })
    const { items } = await find.lines(workspace, { pattern: 'key' }, signal)
    expect(items.map(({ path }) => path)).toEqual(['a.txt'])
    expect((await find.files(workspace, { pattern: '**/*' }, signal)).items).toEqual(['a.txt'])
    expect((await placeIn(workspace, '.config/other')).shown).toBe('.config/other')
  })

  it('may hold a root that its owner has put into it', async () => {
    const { root: home } = await servedFolder()
    await mkdir(join(home, 'work/deep'), { recursive: true })
    await writeFile(join(home, 'work/a.txt'), 'x')
    const served = workspaces([join(home, 'work')], closedPlaces(home, []))
    const workspace = await served.open({ workspaceRoot: join(home, 'work/deep') })

    expect((await placeIn(workspace, 'b.txt')).shown).toBe('b.txt')
  })
})
