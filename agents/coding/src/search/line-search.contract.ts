import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { lastName } from './glob.ts'
import type { SearchArea, Searcher } from './searcher.ts'

type SearchOptions = { regex: string; start?: string; include?: string }

const never = new AbortController().signal
const skip = ['.git', 'node_modules']

/** Which lines every searcher finds. */
export function linesContract(name: string, searcher: () => Searcher): void {
  const lines = async (root: string, { regex, start = '', include }: SearchOptions): Promise<string[]> => {
    const ground: SearchArea = { root, start, skip, bounds: { base: root, closed: [] } }
    const last = include === undefined ? undefined : lastName(include)
    const query = {
      regex,
      ...(include !== undefined && { names: include }),
      ...(last !== undefined && { lastName: last }),
    }
    const hits = await Array.fromAsync(searcher().lines(ground, query, never))
    return hits.map(({ path, line, text, cut }) => `${path}:${line}:${text}${cut ? '…' : ''}`)
  }
  const matches = async (regex: string, text: string): Promise<boolean> => {
    const { root } = await servedFolder({ 'a.txt': text })
    return (await lines(root, { regex })).length > 0
  }

  describe(`line search with ${name}`, () => {
    it('returns positions, and lines without their line endings', async () => {
      const { root } = await servedFolder({
        'dos.txt': 'one\r\ntwo one\r\n',
        'bom.txt': '\uFEFFone',
        'src/a.ts': 'none\n\nwon\none: 1',
        'empty.txt': '',
        'li\nne.txt': 'one\n',
      })
      expect(await lines(root, { regex: 'one$' })).toEqual([
        'bom.txt:1:one',
        'dos.txt:1:one',
        'dos.txt:2:two one',
        'li\nne.txt:1:one',
        'src/a.ts:1:none',
      ])
      expect(await lines(root, { regex: '^one' })).toEqual([
        'bom.txt:1:one',
        'dos.txt:1:one',
        'li\nne.txt:1:one',
        'src/a.ts:4:one: 1',
      ])
    })

    it.each([
      ['*.ts', ['a.ts', 'src/b.ts', 'src/deep/c.ts']],
      ['src/*.ts', ['src/b.ts']],
      ['src/**/*.{ts,md}', ['src/b.ts', 'src/d.md', 'src/deep/c.ts']],
      ['{src/*.md,a.ts}', ['a.ts', 'src/d.md']],
      ['!*.ts', ['.hidden', 'src/d.md']],
      ['.hid*', ['.hidden']],
      ['*.log', []],
    ])('searches the files that match %s', async (include, expected) => {
      const { root } = await servedFolder({
        '.gitignore': '*.log',
        '.hidden': 'x',
        'a.ts': 'x',
        'a.log': 'x',
        'src/b.ts': 'x',
        'src/d.md': 'x',
        'src/deep/c.ts': 'x',
      })
      expect(await lines(root, { regex: '^x$', include })).toEqual(expected.map((path) => `${path}:1:x`))
    })

    it('reads text in UTF-8 or UTF-16 only', async () => {
      const { root } = await servedFolder({
        'binary.dat': 'find me\0\n',
        'wide.txt': Buffer.from('\uFEFFfind me 中文\r\n', 'utf16le'),
        'wide-be.txt': Buffer.from('\uFEFFfind me 中文\n', 'utf16le').swap16(),
        'latin.txt': Buffer.from('find me caf\xe9\n', 'latin1'),
      })
      await writeFile(join(root, 'huge.txt'), Buffer.alloc(10 * 1024 * 1024 + 1, 'find me\n'))

      expect(await lines(root, { regex: 'find me' })).toEqual([
        'latin.txt:1:find me caf\uFFFD',
        'wide-be.txt:1:find me 中文',
        'wide.txt:1:find me 中文',
      ])
      expect(await lines(root, { regex: 'find me', start: 'binary.dat' })).toEqual([])
    })

    it('truncates long lines', async () => {
      const { root } = await servedFolder({
        'a.txt': `${'中'.repeat(600)}\n${'b'.repeat(500)}\n${'c'.repeat(9_000_000)}`,
      })

      expect(await lines(root, { regex: '.' })).toEqual([
        `a.txt:1:${'中'.repeat(500)}…`,
        `a.txt:2:${'b'.repeat(500)}`,
        `a.txt:3:${'c'.repeat(500)}…`,
      ])
    })

    it.each([
      ['[^\\s]', ' \t', false],
      ['(?i)straße|HELLO', 'say hello', true],
      ['hello', 'HELLO', false],
      ['-v', 'a -v b', true],
      ['--files', 'rg --files', true],
      ['a{2,3}b', 'aab', true],
      ['[a-]', '-', true],
      ['[(/|{}]', '{', true],
      ['\\p{Script=Han}{2}', '中文', true],
      ['\\P{Script=Han}', '中文', false],
      ['(?<q>["\']).*x', '"x', true],
      ['(?<=a)b(?!c)', 'abd', true],
      ['(a)\\1', 'aa', true],
      ['^$', 'a\n\nb', true],
      ['😀.', '😀x', true],
    ])('matches %s against %s: %s', async (regex, text, expected) => {
      expect(await matches(regex, text)).toBe(expected)
    })

    it.each(['foo(', '[', '*a', String.raw`\q`, 'a)', '[z-a]', 'a\\'])('rejects %s', async (regex) => {
      await expect(matches(regex, 'x')).rejects.toMatchObject({ code: 'invalid-input' })
    })

    it('ends when the signal aborts or the reader leaves', async () => {
      const { root } = await servedFolder({ 'a.txt': 'x\n'.repeat(50_000) })
      const stop = new AbortController()
      const ground = { root, start: '', skip: [], bounds: { base: root, closed: [] } }
      let count = 0
      const reading = async (signal: AbortSignal, most: number): Promise<void> => {
        for await (const _ of searcher().lines(ground, { regex: 'x' }, signal)) {
          count += 1
          if (count === 1000) stop.abort(new Error('It was stopped.'))
          if (count === most) break
        }
      }
      await reading(never, 10)
      expect(count).toBe(10)
      await expect(reading(stop.signal, Infinity)).rejects.toThrow('It was stopped.')
      await expect(reading(AbortSignal.abort(new Error('Before.')), 1)).rejects.toThrow('Before.')
    })

    it('skips a pipe', async () => {
      const { root } = await servedFolder({ 'a.txt': 'x' })
      execFileSync('mkfifo', [join(root, 'pipe')])

      expect(await lines(root, { regex: 'x' })).toEqual(['a.txt:1:x'])
    })
  })
}
