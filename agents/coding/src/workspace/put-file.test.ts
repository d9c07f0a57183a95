import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { openFile } from './open-file.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'
import { putFile } from './put-file.ts'
import { readText } from './read-text.fixture.ts'
import type { Workspace, Workspaces } from './workspaces.ts'

let root: string
let outside: string
let workspace: Workspace
let disks: Workspaces['disks']

beforeEach(async () => {
  const served = await servedFolder({ 'a.txt': 'old', 'sub/b.txt': 'b' })
  ;({ root, outside } = served)
  workspace = await served.workspaces.open({})
  disks = served.workspaces.disks
})

const bytes = Buffer.from('new')

describe('putFile', () => {
  it('writes a whole file and its folders, and leaves no temporary file', async () => {
    const place = await resolveWorkspacePath(workspace, 'x/y/z.txt')

    const stamp = await putFile(place, bytes, { disks })

    expect(await readText(place)).toMatchObject({ text: 'new', stamp })
    expect(await readdir(join(root, 'x/y'))).toEqual(['z.txt'])
  })

  it('keeps the mode of the old file', async () => {
    await chmod(join(root, 'a.txt'), 0o751)
    const place = await resolveWorkspacePath(workspace, 'a.txt')

    await putFile(place, bytes, { stamp: (await readText(place)).stamp, disks })

    expect((await stat(join(root, 'a.txt'))).mode & 0o7777).toBe(0o751)
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('new')
  })

  it('does not write through hard links', async () => {
    execFileSync('ln', [join(root, 'a.txt'), join(outside, 'same.txt')])
    const place = await resolveWorkspacePath(workspace, 'a.txt')

    await putFile(place, bytes, { stamp: (await readText(place)).stamp, disks })

    expect(await readFile(join(outside, 'same.txt'), 'utf8')).toBe('old')
  })

  it('writes through a link and keeps the link', async () => {
    await symlink('sub/b.txt', join(root, 'link'))
    const place = await resolveWorkspacePath(workspace, 'link')

    await putFile(place, bytes, { stamp: (await readText(place)).stamp, disks })

    expect(await readFile(join(root, 'sub/b.txt'), 'utf8')).toBe('new')
    expect((await readText(await resolveWorkspacePath(workspace, 'link'))).text).toBe('new')
  })

  it('refuses a file that changed or appeared since', async () => {
    const place = await resolveWorkspacePath(workspace, 'a.txt')
    const { stamp } = await readText(place)
    await writeFile(join(root, 'a.txt'), 'another')

    await expect(putFile(place, bytes, { stamp, disks })).rejects.toMatchObject({ code: 'conflict' })
    await expect(putFile(place, bytes, { disks })).rejects.toMatchObject({ code: 'conflict' })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('another')
    expect((await readdir(root)).toSorted()).toEqual(['a.txt', 'sub'])
  })

  it('refuses to replace a folder', async () => {
    await expect(
      putFile(await resolveWorkspacePath(workspace, 'sub'), bytes, { disks }),
    ).rejects.toMatchObject({
      code: 'invalid-input',
    })
    await expect(putFile(await resolveWorkspacePath(workspace, '.'), bytes, { disks })).rejects.toMatchObject(
      {
        code: 'invalid-input',
      },
    )
  })
})

describe('a link that appears after the path was resolved', () => {
  beforeEach(() => mkdir(join(outside, 'elsewhere')))

  it('is not followed by reads, writes and new folders', async () => {
    await writeFile(join(outside, 'elsewhere/b.txt'), 'secret')
    const places = await Promise.all(
      ['sub/b.txt', 'sub/new.txt', 'sub/x/y.txt'].map((path) => resolveWorkspacePath(workspace, path)),
    )
    await rename(join(root, 'sub'), join(root, 'was-sub'))
    await symlink(join(outside, 'elsewhere'), join(root, 'sub'))

    for (const place of places) {
      await expect(putFile(place, bytes, { disks })).rejects.toMatchObject({ code: 'invalid-input' })
      await expect(openFile(place)).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(await readdir(join(outside, 'elsewhere'))).toEqual(['b.txt'])
    expect(await readFile(join(outside, 'elsewhere/b.txt'), 'utf8')).toBe('secret')
  })

  it('is not followed in place of a file', async () => {
    await writeFile(join(outside, 'elsewhere/b.txt'), 'secret')
    const place = await resolveWorkspacePath(workspace, 'sub/b.txt')
    await rm(join(root, 'sub/b.txt'))
    await symlink(join(outside, 'elsewhere/b.txt'), join(root, 'sub/b.txt'))

    await expect(openFile(place)).rejects.toMatchObject({ message: 'sub/b.txt is a link, not a file.' })
    await expect(putFile(place, bytes, { disks })).rejects.toMatchObject({
      message: 'sub/b.txt is a link, not a file.',
    })
    expect(await readFile(join(outside, 'elsewhere/b.txt'), 'utf8')).toBe('secret')
  })
})

describe.runIf(process.platform === 'linux')('a folder that is repeatedly swapped for a link', () => {
  it('lets writes succeed or fail, but never outside', async () => {
    await Promise.all(['elsewhere', 'was'].map((name) => mkdir(join(outside, name))))
    // A write recreates a missing folder, so each step of the swap may fail.
    const script = `const fs = require('node:fs'); const [root, out] = process.argv.slice(1); process.stdout.write('on')
      const attempt = (step) => { try { step() } catch {} }
      for (let at = 0; ; at += 1) { attempt(() => fs.renameSync(root + '/sub', out + '/../was/' + at))
        attempt(() => fs.symlinkSync(out, root + '/sub')); attempt(() => fs.unlinkSync(root + '/sub')) }`
    const swapping = spawn(process.execPath, ['-e', script, root, join(outside, 'elsewhere')])
    await new Promise((resolve) => swapping.stdout.once('data', resolve))
    const outcomes = { written: 0, refused: 0 }
    for (let at = 0; outcomes.written < 20 || outcomes.refused < 20; at += 1) {
      await resolveWorkspacePath(workspace, `sub/${at}.txt`)
        .then((place) => putFile(place, bytes, { disks }))
        .then(() => (outcomes.written += 1))
        .catch(() => (outcomes.refused += 1))
    }
    const ended = new Promise((resolve) => swapping.once('exit', resolve))
    swapping.kill('SIGKILL')
    await ended

    expect(await readdir(join(outside, 'elsewhere'))).toEqual([])
  })
})
