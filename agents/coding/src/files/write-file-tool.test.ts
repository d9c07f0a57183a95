import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { encode } from '../workspace/encoding.ts'
import { failure, fileTools } from './files.fixture.ts'

describe('write_file', () => {
  it('creates a file and the folders above it', async () => {
    const { call, root } = await fileTools()

    expect(await call('write_file', { path: 'src/新/a.ts', content: 'a\nb\n' })).toMatchObject({
      text: 'Created src/新/a.ts: 2 lines, 4 bytes.',
      output: { path: 'src/新/a.ts', created: true, bytes: 4, lines: 2 },
    })
    expect(await readFile(join(root, 'src/新/a.ts'), 'utf8')).toBe('a\nb\n')
  })

  it('replaces a file that was read and shows the difference', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'one\ntwo\n' })
    await call('read_file', { path: 'a.ts' })

    expect(await call('write_file', { path: 'a.ts', content: 'one\n2\n' })).toMatchObject({
      text: 'Changed a.ts (6 bytes): +1 −1 lines\n--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
      output: {
        path: 'a.ts',
        created: false,
        bytes: 6,
        lines: 2,
        diff: '--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
        added: 1,
        removed: 1,
        truncated: false,
      },
    })
    // What it wrote itself it knows.
    await call('write_file', { path: 'a.ts', content: 'three\n' })
    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('three\n')
  })

  it('refuses to replace an unread file', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'one\n' })

    expect(await failure(call('write_file', { path: 'a.ts', content: 'x' }))).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^a\.ts is there, and has not been read yet\. Read it first/) as string,
    })
    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('one\n')
  })

  it('refuses a file that changed since it was read, until it is read again', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'one\n' })
    await call('read_file', { path: 'a.ts' })
    await writeFile(join(root, 'a.ts'), 'by its owner\n')

    expect(await failure(call('write_file', { path: 'a.ts', content: 'x' }))).toMatchObject({
      code: 'conflict',
      message: 'a.ts has changed on disk since it was read. Read it again before you change it.',
    })
    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('by its owner\n')

    await call('read_file', { path: 'a.ts' })
    await call('write_file', { path: 'a.ts', content: 'x' })
    expect(await readFile(join(root, 'a.ts'), 'utf8')).toBe('x')
  })

  it('detects a change although the modification time was set back', async () => {
    const { call, root } = await fileTools({ 'a.ts': 'one\n' })
    const { mtime } = await stat(join(root, 'a.ts'))
    await call('read_file', { path: 'a.ts' })
    await writeFile(join(root, 'a.ts'), 'two\n')
    await utimes(join(root, 'a.ts'), mtime, mtime)

    expect(await failure(call('write_file', { path: 'a.ts', content: 'x' }))).toMatchObject({
      code: 'conflict',
    })
  })

  it('says that nothing changed', async () => {
    const { call } = await fileTools({ 'a.ts': 'one\n' })
    await call('read_file', { path: 'a.ts' })

    const { text } = await call('write_file', { path: 'a.ts', content: 'one\n' })

    expect(text).toBe('a.ts is as it should be: nothing was changed.')
  })

  it('keeps line endings and BOM', async () => {
    const { call, root } = await fileTools({ 'a.txt': '\ufeffone\r\ntwo\r\n' })
    await call('read_file', { path: 'a.txt' })

    await call('write_file', { path: 'a.txt', content: 'one\n2\n' })

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('\ufeffone\r\n2\r\n')
  })

  it('writes a BOM only if the new file has one or the old file had one', async () => {
    const { call, root } = await fileTools({ 'a.txt': 'one\n' })
    await call('read_file', { path: 'a.txt' })

    await call('write_file', { path: 'a.txt', content: '\ufefftwo\n' })
    await call('write_file', { path: 'b.txt', content: '\ufefftwo\n' })

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('two\n')
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('\ufefftwo\n')
  })

  it.each(['utf-16le', 'utf-16be', 'gb18030'] as const)('keeps the encoding %s', async (encoding) => {
    const { call, root } = await fileTools({ 'a.txt': encode('你好，世界\n', encoding) })
    await call('read_file', { path: 'a.txt' })

    await call('write_file', { path: 'a.txt', content: '你好，中国 😀\n' })

    expect(await readFile(join(root, 'a.txt'))).toEqual(encode('你好，中国 😀\n', encoding))
  })

  it('refuses binary files and lone surrogates', async () => {
    const { call } = await fileTools({ 'a.bin': Buffer.from([0, 1, 2]) })

    expect(await failure(call('write_file', { path: 'a.bin', content: 'x' }))).toMatchObject({
      code: 'invalid-input',
    })
    expect(await failure(call('write_file', { path: 'b.txt', content: '\ud800' }))).toMatchObject({
      message: expect.stringMatching(/halves of characters/) as string,
    })
  })

  it('refuses more than 10 MB', async () => {
    const { call, root } = await fileTools()

    expect(
      await failure(call('write_file', { path: 'a.txt', content: 'x'.repeat(11 * 1024 ** 2) })),
    ).toMatchObject({
      code: 'too-large',
    })
    expect(await readdir(root)).toEqual([])
  })

  it('writes each of many concurrent versions whole, and only one as the first', async () => {
    const { call, root } = await fileTools()
    const contents = Array.from({ length: 20 }, (_, at) => `${at}\n`.repeat(5000))

    const outcomes = await Promise.all(
      contents.map((content) =>
        call('write_file', { path: 'a.txt', content }).then(
          ({ output }) => output,
          () => 'refused',
        ),
      ),
    )

    const created = outcomes.filter(
      (output) => typeof output === 'object' && output !== null && 'created' in output && output['created'],
    )
    expect(created).toHaveLength(1)
    expect(contents).toContain(await readFile(join(root, 'a.txt'), 'utf8'))
    expect(await readdir(root)).toEqual(['a.txt'])
  })
})
