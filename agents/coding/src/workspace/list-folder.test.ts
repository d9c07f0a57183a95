import { symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'
import { listFolder } from './list-folder.ts'

describe('listFolder', () => {
  it('sorts by name and follows no links', async () => {
    const {
      root,
      outside,
      workspaces: open,
    } = await servedFolder({ 'b.txt': '12', '.hidden': '', 'a/c.txt': '' })
    await symlink(outside, join(root, 'out'))
    const workspace = await open.open({})

    const { entries, truncated } = await listFolder(await resolveWorkspacePath(workspace, '.'), 10)
    expect(entries.map(({ name, type }) => [name, type])).toEqual([
      ['.hidden', 'file'],
      ['a', 'directory'],
      ['b.txt', 'file'],
      ['out', 'link'],
    ])
    expect(entries[2]).toMatchObject({ size: 2, modified: expect.stringMatching(/^\d{4}-.*Z$/) as string })
    expect(truncated).toBe(false)
    expect(await listFolder(await resolveWorkspacePath(workspace, '.'), 2)).toMatchObject({
      entries: { length: 2 },
      truncated: true,
    })
    await expect(listFolder(await resolveWorkspacePath(workspace, 'b.txt'), 2)).rejects.toThrow(
      'path: b.txt is no folder.',
    )
    await expect(listFolder(await resolveWorkspacePath(workspace, 'd'), 2)).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
