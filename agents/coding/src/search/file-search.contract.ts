import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import type { Searcher } from './searcher.ts'

type SearchOptions = { start?: string; skip?: readonly string[] }

const never = new AbortController().signal
const SKIP = ['.git', 'node_modules']

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(items)
}

/** Which files every searcher finds. */
export function filesContract(name: string, searcher: () => Searcher): void {
  const files = async (root: string, { start = '', skip = SKIP }: SearchOptions = {}): Promise<string[]> =>
    all(searcher().files({ root, start, skip, bounds: { base: root, closed: [] } }, never))

  describe(`file search with ${name}`, () => {
    it('returns sorted paths with hidden files, and follows no links', async () => {
      const { root, outside } = await servedFolder({
        'b.txt': '',
        'a/z.txt': '',
        'a.txt': '',
        '.env': '',
        '文档/说明.md': '',
        'sp ace/-x.txt': '',
        'li\nne.txt': '',
      })
      await writeFile(join(outside, 'secret.txt'), '')
      await symlink(outside, join(root, 'out'))
      await symlink(join(outside, 'secret.txt'), join(root, 'secret.txt'))

      expect(await files(root)).toEqual([
        '.env',
        'a/z.txt',
        'a.txt',
        'b.txt',
        'li\nne.txt',
        'sp ace/-x.txt',
        '文档/说明.md',
      ])
    })

    it('respects .gitignore files from the root down', async () => {
      const { root, outside } = await servedFolder({
        '.gitignore': '# ours\n*.log\n/dist/\nbuild\ndocs/*.tmp\n!keep.log\r\n\\#odd\n',
        'a.log': '',
        'keep.log': '',
        '#odd': '',
        'dist/x.js': '',
        'sub/dist/x.js': '',
        'build/x': '',
        'docs/a.tmp': '',
        'docs/in/a.tmp': '',
        'pkg/.gitignore': '!build\n!a.log\n/own\nd/e\n',
        'pkg/build/x': '',
        'pkg/a.log': '',
        'pkg/own': '',
        'pkg/in/own': '',
        'pkg/d/e': '',
        'pkg/in/d/e': '',
        'LOUD.LOG': '',
      })
      await writeFile(join(outside, '.gitignore'), '*')
      const expected = [
        '.gitignore',
        'LOUD.LOG',
        'docs/in/a.tmp',
        'keep.log',
        'pkg/.gitignore',
        'pkg/a.log',
        'pkg/build/x',
        'pkg/in/d/e',
        'pkg/in/own',
        'sub/dist/x.js',
      ]
      expect(await files(root)).toEqual(expected)
      expect(await files(root, { start: 'pkg' })).toEqual(expected.filter((path) => path.startsWith('pkg/')))
      expect(await files(root, { start: 'pkg/in' })).toEqual(['pkg/in/d/e', 'pkg/in/own'])
    })

    it('skips folders unless they are named', async () => {
      const { root } = await servedFolder({
        '.gitignore': 'node_modules\n',
        '.git/HEAD': '',
        'a/node_modules/x.js': '',
        'node_modules/x.js': '',
        'node_modules/deep/x.js': '',
        'node_modules/deep/node_modules/y.js': '',
      })
      expect(await files(root)).toEqual(['.gitignore'])
      expect(await files(root, { start: 'node_modules' })).toEqual([
        'node_modules/deep/x.js',
        'node_modules/x.js',
      ])
      expect(await files(root, { start: 'node_modules/deep', skip: ['.git'] })).toEqual([
        'node_modules/deep/node_modules/y.js',
        'node_modules/deep/x.js',
      ])
      expect(await files(root, { start: '.git' })).toEqual(['.git/HEAD'])
    })

    it('searches a named file even if it is ignored', async () => {
      const { root } = await servedFolder({ '.gitignore': '*.log\n', '-a.log': 'one\ntwo' })

      expect(await files(root, { start: '-a.log' })).toEqual(['-a.log'])
      const found = await all(
        searcher().lines(
          { root, start: '-a.log', skip: SKIP, bounds: { base: root, closed: [] } },
          { regex: 'two' },
          never,
        ),
      )
      expect(found).toEqual([{ path: '-a.log', line: 2, text: 'two', cut: false }])
    })
  })
}
