import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { openFile } from './open-file.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'
import type { Workspace } from './workspaces.ts'

let root: string
let outside: string
let workspace: Workspace

beforeEach(async () => {
  const served = await servedFolder({ 'a.txt': 'a', 'sub/b.txt': 'b', '..foo/bar': 'c', '~': 't', '~x': 'x' })
  ;({ root, outside } = served)
  workspace = await served.workspaces.open({})
  await mkdir(join(outside, 'root2'))
  await writeFile(join(outside, 'root2/f'), 'f')
  await writeFile(join(outside, 'passwd'), 'secret')
  await symlink(outside, join(root, 'esc'))
  await symlink(join(outside, 'passwd'), join(root, 'file-out'))
  await symlink('../new-out', join(root, 'dangling-out'))
  await symlink('sub/new.txt', join(root, 'dangling-in'))
  await symlink('sub', join(root, 'way-in'))
  await symlink('round', join(root, 'round'))
  await symlink('pong', join(root, 'ping'))
  await symlink('ping', join(root, 'pong'))
  await symlink(root, join(outside, 'other-name'))
})

describe('resolvePlace', () => {
  it.each([
    ['a.txt', 'a.txt'],
    ['./sub/../a.txt', 'a.txt'],
    ['..foo/bar', '..foo/bar'],
    ['..new', '..new'],
    ['.', '.'],
    ['way-in/b.txt', 'sub/b.txt'],
    ['way-in/new/deep.txt', 'sub/new/deep.txt'],
    ['dangling-in', 'sub/new.txt'],
    ['./~x', '~x'],
    ['./~', '~'],
    ['sub/~', 'sub/~'],
    ['新文件.txt', '新文件.txt'],
  ])('resolves %s', async (path, displayPath) => {
    expect(await resolveWorkspacePath(workspace, path)).toEqual({
      path: join(root, displayPath),
      displayPath: displayPath === '.' ? '.' : displayPath,
      within: root,
      bounds: { base: root, closed: [] },
    })
  })

  it('resolves an absolute path, also through a link to the root', async () => {
    expect(await resolveWorkspacePath(workspace, join(root, 'a.txt'))).toMatchObject({ displayPath: 'a.txt' })
    expect(await resolveWorkspacePath(workspace, join(outside, 'other-name/a.txt'))).toMatchObject({
      displayPath: 'a.txt',
    })
    expect(await resolveWorkspacePath(workspace, join(outside, 'other-name/new.txt'))).toMatchObject({
      displayPath: 'new.txt',
    })
  })

  it.each([
    ['~', /relative to the working directory, or absolute/],
    ['~x', /\.\/~x/],
    ['~/.ssh/id_rsa', /relative to the working directory/],
    ['file:///etc/passwd', /relative to the working directory/],
    ['FILE:a.txt', /relative to the working directory/],
    ['a.txt\0.png', /NUL/],
    ['round', /leads in a circle/],
    ['ping', /leads in a circle/],
    ['round/new.txt', /leads in a circle/],
    ['a.txt/b', /below something that is no folder/],
    ['x'.repeat(256), /^x{200}… is too long a name/],
    ['x/'.repeat(300), /too long a path/],
    ['xy/'.repeat(1500), /too long a path/],
    [String.raw`sub\new.txt`, /Folders are parted by \/: sub\/new\.txt/],
    [String.raw`..\..\etc\passwd`, /Folders are parted by \//],
  ])('rejects a bad path, case %#', async (path, why) => {
    await expect(resolveWorkspacePath(workspace, path)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(why) as string,
    })
  })

  it('accepts a backslash in a file name', async () => {
    await writeFile(join(root, String.raw`a\b`), 'x')

    expect(await resolveWorkspacePath(workspace, String.raw`a\b`)).toMatchObject({
      displayPath: String.raw`a\b`,
    })
  })

  it('returns an absolute display path in a further folder', async () => {
    const further = join(outside, 'root2')

    expect(
      await resolveWorkspacePath(
        { root, directories: [further], bases: [root, further], closed: [] },
        '../root2/f',
      ),
    ).toEqual({
      path: join(further, 'f'),
      displayPath: join(further, 'f'),
      within: further,
      bounds: { base: further, closed: [] },
    })
  })
})

describe('openFile', () => {
  it.each([
    ['.', 'a folder'],
    ['sub', 'a folder'],
    ['pipe', 'a named pipe'],
  ])('refuses %s, which is %s', async (path, kind) => {
    execFileSync('mkfifo', [join(root, 'pipe')])

    await expect(openFile(await resolveWorkspacePath(workspace, path))).rejects.toMatchObject({
      code: 'invalid-input',
      message: `${path} is ${kind}, not a file.`,
    })
  })

  it('refuses /dev/zero, which is a device', async () => {
    const dev = { root: '/dev', directories: [], bases: ['/dev'], closed: [] }
    await expect(openFile(await resolveWorkspacePath(dev, 'zero'))).rejects.toMatchObject({
      message: 'zero is a device, not a file.',
    })
  })

  it('refuses a missing file', async () => {
    await expect(openFile(await resolveWorkspacePath(workspace, 'sub/none.txt'))).rejects.toMatchObject({
      code: 'not-found',
      message: 'sub/none.txt does not exist.',
    })
  })
})
