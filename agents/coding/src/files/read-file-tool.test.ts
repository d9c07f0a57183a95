import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { encode } from '../workspace/encoding.ts'
import { failure, fileTools } from './files.fixture.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')

describe('read_file', () => {
  it('returns a small file as it is', async () => {
    const { call } = await fileTools({ 'src/a.ts': 'const a = 1\r\nexport { a }\r\n' })

    expect(await call('read_file', { path: 'src/a.ts' })).toMatchObject({
      text: 'const a = 1\nexport { a }',
      output: {
        path: 'src/a.ts',
        firstLine: 1,
        lastLine: 2,
        totalLines: 2,
        bytes: 27,
        encoding: 'UTF-8',
        truncated: false,
      },
    })
  })

  it('says that a file is empty', async () => {
    const { call } = await fileTools({ 'a.txt': '' })

    expect(await call('read_file', { path: 'a.txt' })).toMatchObject({
      text: 'a.txt is empty.',
      output: { firstLine: 0, lastLine: 0, totalLines: 0 },
    })
  })

  it('returns 2,000 lines and says how to continue', async () => {
    const { call } = await fileTools({ 'a.txt': lines(4500) })

    const first = await call('read_file', { path: 'a.txt' })
    const last = await call('read_file', { path: 'a.txt', offset: 4001 })

    expect(first.text).toMatch(/^line 1\n.*\nline 2000\n\n\[lines 1–2000 of 4500; go on with offset=2001\]$/s)
    expect(first.output).toMatchObject({ truncated: true, totalLines: 4500 })
    expect(last.text).toMatch(/^line 4001\n.*\nline 4500\n\n\[lines 4001–4500 of 4500\]$/s)
    expect(last.output).toMatchObject({ truncated: false })
  })

  it('returns the requested lines', async () => {
    const { call } = await fileTools({ 'a.txt': lines(9) })

    const { text } = await call('read_file', { path: 'a.txt', offset: 3, limit: 2 })

    expect(text).toBe('line 3\nline 4\n\n[lines 3–4 of 9; go on with offset=5]')
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['texts', { offset: '3', limit: ' 1 ' }, 'c'],
    ['nothing', { offset: '', limit: null }, 'a\nb\nc'],
    ['zero', { offset: 0, limit: '0' }, 'a\nb\nc'],
  ])('takes %s as numbers of lines', async (_what, numbers, text) => {
    const { call } = await fileTools({ 'a.txt': 'a\nb\nc\n' })

    expect((await call('read_file', { path: 'a.txt', ...numbers })).text.split('\n\n[')[0]).toBe(text)
  })

  it('tells the model in words what a number of a line is', async () => {
    const { call } = await fileTools({ 'a.txt': 'a\n' })

    for (const offset of [-1, 1.5, 'first'])
      await expect(call('read_file', { path: 'a.txt', offset })).rejects.toThrow(
        'must be a whole number, from 1',
      )
  })

  it('returns at most 50 KB and truncates long lines', async () => {
    const { call } = await fileTools({
      'a.txt': `${'长'.repeat(1999)}\n`.repeat(100),
      'b.js': 'x'.repeat(300_000),
    })

    const wide = await call('read_file', { path: 'a.txt' })
    const long = await call('read_file', { path: 'b.js' })

    expect(Buffer.byteLength(wide.text)).toBeLessThan(52_000)
    expect(wide.text).toMatch(/\[lines 1–8 of 100; go on with offset=9\]$/)
    expect(long.text).toBe(`${'x'.repeat(2000)}… [cut: this line has 300000 characters]`)
    expect(long.output).toMatchObject({ truncated: true, totalLines: 1 })
  })

  it('refuses a line beyond the end', async () => {
    const { call } = await fileTools({ 'a.txt': lines(3) })

    expect(await failure(call('read_file', { path: 'a.txt', offset: 4 }))).toMatchObject({
      code: 'invalid-input',
      message: 'offset: a.txt ends with line 3.',
    })
  })

  it.each([
    ['UTF-8 with BOM', 'utf-8-bom'],
    ['UTF-16 LE', 'utf-16le'],
    ['UTF-16 BE', 'utf-16be'],
    ['GB18030', 'gb18030'],
  ] as const)('reads %s and names the encoding', async (name, encoding) => {
    const { call } = await fileTools({ 'a.txt': encode('你好，世界\n第二行\n', encoding) })

    const { text, output } = await call('read_file', { path: 'a.txt' })

    expect(text).toBe(`你好，世界\n第二行\n\n[the file is written in ${name}]`)
    expect(output).toMatchObject({ encoding: name })
  })

  it.each([
    ['logo.png', '\x89PNG\r\n\x1a\n\0\0\0', 'a PNG image (11 bytes)'],
    ['tool', '\x7fELF\x02\x01\x01\0', 'a program (8 bytes)'],
    ['data.bin', `${'a'.repeat(2000)}\0`, 'a binary file (2 KB)'],
  ])('refuses a binary file: %s', async (path, content, kind) => {
    const { call } = await fileTools({ [path]: Buffer.from(content, 'latin1') })

    expect(await failure(call('read_file', { path }))).toMatchObject({
      code: 'invalid-input',
      message: `${path} is ${kind}, not text.`,
    })
  })

  it('reads from the middle of a very large file in little memory', async () => {
    const { call, root } = await fileTools()
    const path = join(root, 'big.log')
    await writeFile(path, lines(2_000_000))
    // The rest is a hole of NULs: one line without an end.
    await truncate(path, 2 * 1024 ** 3)
    const before = process.memoryUsage().rss

    const { text, output } = await call('read_file', { path: 'big.log', offset: 1_500_000, limit: 3 })

    expect(text).toBe(
      'line 1500000\nline 1500001\nline 1500002\n\n[lines 1500000–1500002 of a file of 2 GB; go on ' +
        'with offset=1500003]',
    )
    expect(output).not.toHaveProperty('totalLines')
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2)
  })

  it('stops when the call is stopped', async () => {
    const { call, root } = await fileTools()
    await writeFile(join(root, 'holes'), lines(2000))
    await truncate(join(root, 'holes'), 2 * 1024 ** 3)

    await expect(
      call('read_file', { path: 'holes', offset: 3000 }, AbortSignal.timeout(50)),
    ).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
