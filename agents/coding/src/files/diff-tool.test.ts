import { symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { encode } from '../workspace/encoding.ts'
import { failure, fileTools } from './files.fixture.ts'

describe('diff', () => {
  it('shows how two files differ', async () => {
    const { call } = await fileTools({ 'a.ts': 'one\ntwo\n', 'src/b.ts': 'one\n2\n3\n' })

    expect(await call('diff', { file_a: 'a.ts', file_b: 'src/b.ts' })).toMatchObject({
      text: 'a.ts and src/b.ts differ: +2 −1 lines\n--- a.ts\n+++ src/b.ts\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n',
      output: {
        fileA: 'a.ts',
        fileB: 'src/b.ts',
        equal: false,
        diff: '--- a.ts\n+++ src/b.ts\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n',
        added: 2,
        removed: 1,
        truncated: false,
      },
    })
  })

  it.each([
    ['equal', 'a\n', 'a\n', 'a and b are equal.'],
    [
      'of other line endings',
      'a\nb\n',
      'a\r\nb\r\n',
      'a and b have the same lines, and differ only in their encoding or in how lines end.',
    ],
    [
      'of another encoding',
      '你好\n',
      encode('你好\n', 'gb18030'),
      'a and b have the same lines, and differ only in their encoding or in how lines end.',
    ],
    [
      'binary',
      'a\n',
      Buffer.from([0, 1]),
      'a and b differ. They are not compared line by line: text, 2 bytes; a binary file, 2 bytes.',
    ],
  ])('reports files that are %s', async (_what, a, b, message) => {
    const { call } = await fileTools({ a, b })

    expect((await call('diff', { file_a: 'a', file_b: 'b' })).text).toBe(message)
  })

  it('names the file that is missing or forbidden', async () => {
    const { call, root } = await fileTools({ a: 'x' })
    await symlink('/etc/passwd', join(root, 'link'))

    expect(await failure(call('diff', { file_a: 'a', file_b: 'b' }))).toMatchObject({
      code: 'not-found',
      message: 'b does not exist.',
    })
    expect(await failure(call('diff', { file_a: 'link', file_b: 'a' }))).toMatchObject({ code: 'forbidden' })
  })

  it('summarizes large files that have nothing in common in bounded time', async () => {
    const text = (letter: string): string =>
      Array.from({ length: 300_000 }, (_, at) => `${letter}${at}\n`).join('')
    const { call } = await fileTools({ a: text('a'), b: text('b') })

    const { text: message, output } = await call('diff', { file_a: 'a', file_b: 'b' })

    expect(message).toContain('a and b differ: +300000 −300000 lines\n--- ')
    expect(output).toMatchObject({ truncated: true })
  })
})
