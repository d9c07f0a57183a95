import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { openFile } from './open-file.ts'
import { placeIn } from './place.ts'
import { putFile } from './put-file.ts'
import { readText } from './read-text.ts'
import type { Workspace } from './workspaces.ts'

let root: string
let outside: string
let workspace: Workspace

beforeEach(async () => {
  const served = await servedFolder({ 'a.txt': 'old', 'sub/b.txt': 'b' })
  ;({ root, outside } = served)
  workspace = await served.open.open({})
})

const bytes = Buffer.from('new')

describe('a file that is put', () => {
  it('is there whole, with the folders above it, and leaves nothing beside', async () => {
    const place = await placeIn(workspace, 'x/y/z.txt')

    const stamp = await putFile(place, bytes)

    expect(await readText(place)).toMatchObject({ text: 'new', stamp })
    expect(await readdir(join(root, 'x/y'))).toEqual(['z.txt'])
  })

  it('keeps the mode of what it replaces', async () => {
    await chmod(join(root, 'a.txt'), 0o751)
    const place = await placeIn(workspace, 'a.txt')

    await putFile(place, bytes, (await readText(place)).stamp)

    expect((await stat(join(root, 'a.txt'))).mode & 0o7777).toBe(0o751)
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('new')
  })

  it('leaves the other names of what it replaces as they are', async () => {
    execFileSync('ln', [join(root, 'a.txt'), join(outside, 'same.txt')])
    const place = await placeIn(workspace, 'a.txt')

    await putFile(place, bytes, (await readText(place)).stamp)

    expect(await readFile(join(outside, 'same.txt'), 'utf8')).toBe('old')
  })

  it('goes where a link leads, and leaves the link', async () => {
    await symlink('sub/b.txt', join(root, 'link'))
    const place = await placeIn(workspace, 'link')

    await putFile(place, bytes, (await readText(place)).stamp)

    expect(await readFile(join(root, 'sub/b.txt'), 'utf8')).toBe('new')
    expect((await readText(await placeIn(workspace, 'link'))).text).toBe('new')
  })

  it('does not replace what has changed, or has come, since', async () => {
    const place = await placeIn(workspace, 'a.txt')
    const { stamp } = await readText(place)
    await writeFile(join(root, 'a.txt'), 'another')

    await expect(putFile(place, bytes, stamp)).rejects.toMatchObject({ code: 'conflict' })
    await expect(putFile(place, bytes)).rejects.toMatchObject({ code: 'conflict' })
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('another')
    expect((await readdir(root)).toSorted()).toEqual(['a.txt', 'sub'])
  })

  it('does not replace a folder', async () => {
    await expect(putFile(await placeIn(workspace, 'sub'), bytes)).rejects.toMatchObject({
      code: 'invalid-input',
    })
    await expect(putFile(await placeIn(workspace, '.'), bytes)).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})

describe('a link that is put in the way after the path was looked at', () => {
  beforeEach(() => mkdir(join(outside, 'elsewhere')))

  it('is not followed: neither to write, nor to make folders, nor to read', async () => {
    await writeFile(join(outside, 'elsewhere/b.txt'), 'secret')
    const places = await Promise.all(
      ['sub/b.txt', 'sub/new.txt', 'sub/x/y.txt'].map((path) => placeIn(workspace, path)),
    )
    await rename(join(root, 'sub'), join(root, 'was-sub'))
    await symlink(join(outside, 'elsewhere'), join(root, 'sub'))

    for (const place of places) {
      await expect(putFile(place, bytes)).rejects.toMatchObject({ code: 'invalid-input' })
      await expect(openFile(place)).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(await readdir(join(outside, 'elsewhere'))).toEqual(['b.txt'])
    expect(await readFile(join(outside, 'elsewhere/b.txt'), 'utf8')).toBe('secret')
  })

  it('in a file’s place is not followed', async () => {
    await writeFile(join(outside, 'elsewhere/b.txt'), 'secret')
    const place = await placeIn(workspace, 'sub/b.txt')
    await rm(join(root, 'sub/b.txt'))
    await symlink(join(outside, 'elsewhere/b.txt'), join(root, 'sub/b.txt'))

    await expect(openFile(place)).rejects.toMatchObject({ message: 'sub/b.txt is a link, not a file.' })
    await expect(putFile(place, bytes)).rejects.toMatchObject({ message: 'sub/b.txt is a link, not a file.' })
    expect(await readFile(join(outside, 'elsewhere/b.txt'), 'utf8')).toBe('secret')
  })
})

describe.runIf(process.platform === 'linux')('a folder that is swapped for a link again and again', () => {
  it('lets some writes be done and some be refused, and none out', async () => {
    await Promise.all(['elsewhere', 'was'].map((name) => mkdir(join(outside, name))))
    // What is written makes the folder anew where it is gone, so that each step of the swap may fail.
    const script = `const fs = require('node:fs'); const [root, out] = process.argv.slice(1); process.stdout.write('on')
      const attempt = (step) => { try { step() } catch {} }
      for (let at = 0; ; at += 1) { attempt(() => fs.renameSync(root + '/sub', out + '/../was/' + at))
        attempt(() => fs.symlinkSync(out, root + '/sub')); attempt(() => fs.unlinkSync(root + '/sub')) }`
    const swapping = spawn(process.execPath, ['-e', script, root, join(outside, 'elsewhere')])
    await new Promise((resolve) => swapping.stdout.once('data', resolve))
    const outcomes = { written: 0, refused: 0 }
    for (let at = 0; outcomes.written < 20 || outcomes.refused < 20; at += 1) {
      await placeIn(workspace, `sub/${at}.txt`)
        .then((place) => putFile(place, bytes))
        .then(() => (outcomes.written += 1))
        .catch(() => (outcomes.refused += 1))
    }
    const ended = new Promise((resolve) => swapping.once('exit', resolve))
    swapping.kill('SIGKILL')
    await ended

    expect(await readdir(join(outside, 'elsewhere'))).toEqual([])
  })
})
