import { chmod, lstat, mkdir, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

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

describe('what was seen of hidden places', () => {
  /** A home whose folders are not of this moment any more. */
  async function settledHome(): Promise<string> {
    const { root } = await servedFolder({
      'home/.config/app/User/globalStorage/keys': '',
      'home/.npmrc': '',
      'home/dotfiles/aws/keys': '',
      'other/ssh/id': '',
    })
    const home = join(root, 'home')
    await symlink('dotfiles/aws', join(home, '.aws'))
    await symlink('../other/ssh', join(home, '.ssh'))
    await symlink('../other/kube', join(home, '.kube'))
    // The clock of files goes in steps: what comes next is not of the same one.
    const { ctimeNs } = await lstat(home, { bigint: true })
    const probe = join(root, 'probe')
    do await writeFile(probe, '')
    while ((await lstat(probe, { bigint: true })).ctimeNs <= ctimeNs)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 60_000)
    return home
  }

  it('holds while nothing changes, also in the places', async () => {
    const home = await settledHome()
    const places = createDeniedPaths(join(home, '../server'), [home])
    const all = await places.all()

    await writeFile(join(home, '.aws/new'), '')
    await mkdir(join(home, 'project'), { recursive: false }).then(() => rmdir(join(home, 'project')))
    const after = await places.all()
    await writeFile(join(home, '.npmrc'), 'a key')

    expect(after).toEqual(all)
    expect(await places.all()).toBe(after)
  })

  it('does not hold for folders that have just changed', async () => {
    const { root } = await servedFolder()
    const places = createDeniedPaths(undefined, [root])

    expect(await places.all()).not.toBe(await places.all())
  })

  it.each<[string, (home: string) => Promise<unknown>]>([
    ['a place is made', (home) => mkdir(join(home, '.docker'))],
    ['a place is made in a folder that was there', (home) => mkdir(join(home, '.config/gh'))],
    [
      'a place is made with the folder above it',
      (home) => mkdir(join(home, '.m2/settings.xml'), { recursive: true }),
    ],
    ['a place that fits a name with a star is made', (home) => mkdir(join(home, '.config/dragoman-2'))],
    [
      'a place is made deep below a star',
      (home) => mkdir(join(home, '.config/new/User/globalStorage'), { recursive: true }),
    ],
    ['the place of the server is made', (home) => mkdir(join(home, '../server'))],
    ['a place is removed', (home) => rm(join(home, '.npmrc'))],
    [
      'a place is replaced by another',
      (home) => rename(join(home, 'dotfiles/aws/keys'), join(home, '.npmrc')),
    ],
    ['a place becomes a link', (home) => symlink('../other', join(home, '.docker'))],
    [
      'a link leads elsewhere',
      (home) => rm(join(home, '.aws')).then(() => symlink('../other', join(home, '.aws'))),
    ],
    ['what a link leads to is replaced', (home) => rename(join(home, 'dotfiles'), join(home, 'old'))],
    ['what a link leads to is made', (home) => mkdir(join(home, '../other/kube'))],
    [
      'what a link leads to is another folder',
      (home) =>
        rename(join(home, '../other/ssh'), join(home, '../ssh')).then(() =>
          mkdir(join(home, '../other/ssh')),
        ),
    ],
    [
      'a folder above becomes a link',
      (home) =>
        rename(join(home, '.config'), join(home, '../moved')).then(() =>
          symlink('../moved', join(home, '.config')),
        ),
    ],
    [
      'the home becomes a link',
      (home) => rename(home, join(home, '../moved')).then(() => symlink('moved', home)),
    ],
  ])('does not hold when %s', async (_, change) => {
    const home = await settledHome()
    const server = join(home, '../server')
    const places = createDeniedPaths(server, [home])
    const before = await places.all()

    await change(home)

    const now = await createDeniedPaths(server, [home]).all()
    expect(await places.all()).toEqual(expect.arrayContaining([...now]))
    expect(now).not.toEqual(before)
  })

  it.skipIf(process.getuid?.() === 0)('does not hold when a folder is shut', async () => {
    const home = await settledHome()
    const places = createDeniedPaths(undefined, [home])
    const before = await places.all()
    await chmod(join(home, '.config'), 0)
    const after = await places.all()
    await chmod(join(home, '.config'), 0o700)

    expect(after).not.toEqual(before)
  })
})
