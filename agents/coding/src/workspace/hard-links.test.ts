import { chown, link, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { plainSearcher } from '../search/plain-searcher.ts'
import { workspaceSearch } from '../search/workspace-search.ts'
import { createDeniedPaths } from './denied-paths.ts'
import { putFile } from './put-file.ts'
import { readText } from './read-text.fixture.ts'
import { removeFile } from './remove-file.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'
import { createWorkspaces } from './workspaces.ts'

const isRoot = process.getuid?.() === 0

/** A served folder in which `linked.txt` is another name of a file outside. */
async function rig(outsideFile: string) {
  const { root, outside } = await servedFolder({ 'own.txt': 'bait of the folder' })
  const file = join(outside, outsideFile)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, 'bait outside')
  const workspaces = createWorkspaces([root], createDeniedPaths(join(outside, 'server'), []))
  const workspace = await workspaces.open({})
  const placeOf = (path: string) => resolveWorkspacePath(workspace, path)
  const search = workspaceSearch(async () => plainSearcher())
  return {
    root,
    file,
    find: async () =>
      (
        await search.lines(
          workspace,
          { pattern: 'bait' },
          { userId: 'ada', signal: new AbortController().signal },
        )
      ).items.map(({ path }) => path),
    read: async (path: string) => readText(await placeOf(path)),
    put: async (path: string, stamp: string) =>
      putFile(await placeOf(path), Buffer.from('new'), { stamp, disks: workspaces.disks }),
    remove: async (path: string, stamp: string) => removeFile(await placeOf(path), stamp),
  }
}

describe('a hard link in a served folder', () => {
  const refused = { code: 'forbidden' }

  it('to a file of a hidden place is neither read, found, written nor deleted', async () => {
    const { root, file, find, read, put, remove } = await rig('server/deep/dragoman.db')
    expect((await read('own.txt')).text).toBe('bait of the folder')
    await link(file, join(root, 'linked.txt'))

    await expect(read('linked.txt')).rejects.toMatchObject(refused)
    await expect(put('linked.txt', '')).rejects.toMatchObject(refused)
    await expect(remove('linked.txt', '')).rejects.toMatchObject(refused)
    expect(await find()).toEqual(['own.txt'])
    expect(await readFile(file, 'utf8')).toBe('bait outside')
  })

  it('is refused too if the link was made after another one was looked at', async () => {
    const { root, file, read } = await rig('server/keys.json')
    await link(join(root, 'own.txt'), join(root, 'same.txt'))
    expect((await read('same.txt')).text).toBe('bait of the folder')

    await link(file, join(root, 'linked.txt'))

    await expect(read('linked.txt')).rejects.toMatchObject(refused)
  })

  it.runIf(isRoot)('to a file of another user is neither read, found, written nor deleted', async () => {
    const { root, file, find, read, put, remove } = await rig('elsewhere/theirs.txt')
    await chown(file, 1234, 1234)
    await link(file, join(root, 'linked.txt'))

    await expect(read('linked.txt')).rejects.toMatchObject(refused)
    await expect(put('linked.txt', '')).rejects.toMatchObject(refused)
    await expect(remove('linked.txt', '')).rejects.toMatchObject(refused)
    expect(await find()).toEqual(['own.txt'])
  })

  it.runIf(isRoot)('to a file of root is refused in a folder of a user', async () => {
    const { root, file, read } = await rig('elsewhere/shadow')
    for (const path of [root, join(root, 'own.txt')]) await chown(path, 1234, 1234)
    await link(file, join(root, 'linked.txt'))

    await expect(read('linked.txt')).rejects.toMatchObject(refused)
    expect((await read('own.txt')).text).toBe('bait of the folder')
  })

  it('to a file of the same user is used, as package managers make them', async () => {
    const { root, file, read, put } = await rig('store/package.js')
    await link(file, join(root, 'linked.txt'))

    const { text, stamp } = await read('linked.txt')
    await put('linked.txt', stamp)

    expect(text).toBe('bait outside')
    expect(await readFile(file, 'utf8')).toBe('bait outside')
  })
})
