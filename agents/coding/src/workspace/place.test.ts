import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { openFile } from './open-file.ts'
import { placeIn } from './place.ts'
import type { Workspace } from './workspaces.ts'

let root: string
let outside: string
let workspace: Workspace

beforeEach(async () => {
  const served = await servedFolder({ 'a.txt': 'a', 'sub/b.txt': 'b', '..foo/bar': 'c', '~': 't', '~x': 'x' })
  ;({ root, outside } = served)
  workspace = await served.open.open({})
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

describe('a place in a workspace', () => {
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
  ])('is found for %s', async (path, shown) => {
    expect(await placeIn(workspace, path)).toEqual({
      path: join(root, shown),
      shown: shown === '.' ? '.' : shown,
      within: root,
      bounds: { base: root, closed: [] },
    })
  })

  it('is found by an absolute path, also by one through a link to the root', async () => {
    expect(await placeIn(workspace, join(root, 'a.txt'))).toMatchObject({ shown: 'a.txt' })
    expect(await placeIn(workspace, join(outside, 'other-name/a.txt'))).toMatchObject({ shown: 'a.txt' })
    expect(await placeIn(workspace, join(outside, 'other-name/new.txt'))).toMatchObject({ shown: 'new.txt' })
  })

  it.each([
    '../x',
    '..',
    'sub/../../x',
    'esc/passwd',
    'esc/new.txt',
    'esc',
    'file-out',
    'dangling-out',
    '../root2/f',
    '/etc/passwd',
    '/',
    'esc/root2/../passwd',
  ])('outside of it is refused: %s', async (path) => {
    await expect(placeIn(workspace, path)).rejects.toMatchObject({
      code: 'forbidden',
      message: `${path} is outside of the working directory, and so cannot be used.`,
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
  ])('is not found, case %#', async (path, why) => {
    await expect(placeIn(workspace, path)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(why) as string,
    })
  })

  it('may have a backslash in its name where a file has', async () => {
    await writeFile(join(root, String.raw`a\b`), 'x')

    expect(await placeIn(workspace, String.raw`a\b`)).toMatchObject({ shown: String.raw`a\b` })
  })

  it('in a further folder is shown whole', async () => {
    const also = join(outside, 'root2')

    expect(await placeIn({ root, also: [also], bases: [root, also], closed: [] }, '../root2/f')).toEqual({
      path: join(also, 'f'),
      shown: join(also, 'f'),
      within: also,
      bounds: { base: also, closed: [] },
    })
  })
})

describe('what is no file', () => {
  it.each([
    ['.', 'a folder'],
    ['sub', 'a folder'],
    ['pipe', 'a named pipe'],
  ])('is not opened: %s is %s', async (path, kind) => {
    execFileSync('mkfifo', [join(root, 'pipe')])

    await expect(openFile(await placeIn(workspace, path))).rejects.toMatchObject({
      code: 'invalid-input',
      message: `${path} is ${kind}, not a file.`,
    })
  })

  it('is not opened: /dev/zero is a device', async () => {
    const dev = { root: '/dev', also: [], bases: ['/dev'], closed: [] }
    await expect(openFile(await placeIn(dev, 'zero'))).rejects.toMatchObject({
      message: 'zero is a device, not a file.',
    })
  })

  it('is not opened where it is not there', async () => {
    await expect(openFile(await placeIn(workspace, 'sub/none.txt'))).rejects.toMatchObject({
      code: 'not-found',
      message: 'sub/none.txt does not exist.',
    })
  })
})
