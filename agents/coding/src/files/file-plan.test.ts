import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { encode } from '../workspace/encoding.ts'
import { failure, fileTools } from './files.fixture.ts'

const edit = (path: string, old: string, now: string) => ({ path, old_string: old, new_string: now })

describe('the preview of a write', () => {
  it('of a new file has all of its lines, and writes nothing', async () => {
    const { preview, root } = await fileTools()

    expect(await preview('write_file', { path: '新/文件.txt', content: '你好\nb' })).toEqual({
      title: '新/文件.txt',
      format: 'diff',
      text: '--- /dev/null\n+++ 新/文件.txt\n@@ -0,0 +1,2 @@\n+你好\n+b\n\\ No newline at end of file\n',
      basis: expect.any(String) as string,
    })
    expect(await failure(readFile(join(root, '新/文件.txt')))).toMatchObject({ code: 'ENOENT' })
  })

  it('of a file that is there has what goes and what comes, from the file itself', async () => {
    const { call, preview } = await fileTools({ 'a.ts': 'one\ntwo\nthree\n' })
    await call('read_file', { path: 'a.ts' })

    expect(await preview('write_file', { path: './a.ts', content: 'one\nthree' })).toMatchObject({
      title: 'a.ts',
      text:
        '--- a.ts\n+++ a.ts\n@@ -1,3 +1,2 @@\n one\n-two\n-three\n+three\n' +
        '\\ No newline at end of file\n',
    })
  })

  it('of an edit has each place in which it replaces', async () => {
    const { preview } = await fileTools({ 'a.ts': 'x = 1\ny\nx = 1\n' })

    const all = { ...edit('a.ts', 'x = 1', 'x = 2'), replace_all: true }
    expect((await preview('edit_file', all)).text).toBe(
      '--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n-x = 1\n+x = 2\n y\n-x = 1\n+x = 2\n',
    )
  })

  it('shows Windows line endings only where they change', async () => {
    const { call, preview } = await fileTools({ 'a.txt': 'a\r\nb\r\n', 'b.txt': 'a\nb\n' })
    await call('read_file', { path: 'b.txt' })

    expect((await preview('edit_file', edit('a.txt', 'b', 'c'))).text).toBe(
      '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
    )
    expect((await preview('write_file', { path: 'b.txt', content: 'a\r\nb\r\n' })).text).toBe(
      '--- b.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n-a\n-b\n+a\r\n+b\r\n',
    )
  })

  it('reads old Chinese files', async () => {
    const { preview } = await fileTools({ 'a.txt': encode('这是中文的文件内容\n第二行\n', 'gb18030') })

    expect((await preview('edit_file', edit('a.txt', '第二行', '第三行'))).text).toContain(
      '-第二行\n+第三行\n',
    )
  })

  it('is empty where nothing changes', async () => {
    const { call, preview } = await fileTools({ 'a.txt': 'a\n' })
    await call('read_file', { path: 'a.txt' })

    expect(await preview('write_file', { path: 'a.txt', content: 'a\n' })).not.toHaveProperty('isCut')
    expect((await preview('write_file', { path: 'a.txt', content: 'a\n' })).text).toBe('')
  })

  it.each([
    ['many lines', 'line\n'.repeat(5000)],
    ['one long line', 'x'.repeat(50_000)],
  ])('of %s is cut, and says so', async (_what, content) => {
    const { preview } = await fileTools()

    const { text, isCut } = await preview('write_file', { path: 'a.txt', content })

    expect(text.length).toBeLessThanOrEqual(20_000)
    expect(isCut).toBe(true)
  })

  it.each([
    ['a binary file', edit('a.png', 'x', 'y'), 'a.png is a PNG image (10 bytes), not text.'],
    ['a place outside', edit('../../a', 'x', 'y'), '../../a is outside of the working directory'],
    ['text that is not there', edit('a.txt', 'zzz', 'y'), 'old_string is not in a.txt'],
  ])('of %s fails as the call would', async (_what, input, message) => {
    const { preview } = await fileTools({
      'a.txt': 'a\n',
      'a.png': Buffer.from('\x89PNG\r\n\0\0\0\0', 'latin1'),
    })

    expect((await failure(preview('edit_file', input))).message).toContain(message)
  })
})

describe('an approved write', () => {
  const write = { path: 'a.txt', content: 'new\n' }

  it('is done if the file is as it was shown', async () => {
    const { call, preview, callApproved, root } = await fileTools({ 'a.txt': 'a\n' })
    await call('read_file', { path: 'a.txt' })

    await callApproved('write_file', write, (await preview('write_file', write)).basis)

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('new\n')
  })

  it.each([
    ['changed', 'write_file', write, (path: string) => writeFile(path, 'theirs\n')],
    ['changed', 'edit_file', edit('a.txt', 'a', 'b'), (path: string) => writeFile(path, 'a\nmore\n')],
    ['deleted', 'write_file', write, (path: string) => rm(path)],
    [
      'replaced by a link',
      'edit_file',
      edit('a.txt', 'a', 'b'),
      async (path: string) => {
        await rename(path, `${path}.old`)
        await symlink(`${path}.old`, path)
      },
    ],
  ])('of a file that was %s since is refused by %s', async (_how, tool, input, change) => {
    const { preview, callApproved, call, root } = await fileTools({ 'a.txt': 'a\n' })
    if (tool === 'write_file') await call('read_file', { path: 'a.txt' })
    const { basis } = await preview(tool, input)
    await change(join(root, 'a.txt'))
    const before = await readFile(join(root, 'a.txt')).catch(() => undefined)

    expect(await failure(callApproved(tool, input, basis))).toMatchObject({ code: 'conflict' })

    expect(await readFile(join(root, 'a.txt')).catch(() => undefined)).toEqual(before)
  })

  it('of a file that appeared since is refused', async () => {
    const { preview, callApproved, root } = await fileTools()
    const create = edit('a.txt', '', 'mine\n')
    const { basis } = await preview('write_file', write)
    await writeFile(join(root, 'a.txt'), 'theirs\n')

    await failure(callApproved('write_file', write, basis))
    await failure(callApproved('edit_file', create, basis))

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('theirs\n')
  })

  it('is refused if there was nothing to show', async () => {
    const { callApproved } = await fileTools({ 'a.txt': 'a\n' })

    expect(await failure(callApproved('edit_file', edit('a.txt', 'a', 'b'), ''))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('a.txt is not what the user was shown') as string,
    })
  })
})
