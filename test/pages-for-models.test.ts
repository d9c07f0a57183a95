import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { writePagesForModels } from '../docs/.vitepress/pages-for-models.ts'

const srcDir = join(import.meta.dirname, '../docs')
const pages = globSync('**/*.md', { cwd: srcDir })
let outDir: string
beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'dragoman-docs-'))
  const route = { path: 'reference/api/made.md', content: '# made\n\nIt has no file.\n' }
  await writePagesForModels({
    srcDir,
    outDir,
    pages: [...pages, route.path],
    dynamicRoutes: { routes: [route] },
  })
})
afterAll(() => rm(outDir, { recursive: true }))

const read = (name: string): Promise<string> => readFile(join(outDir, name), 'utf8')

it('lists each English page once, with its heading, where its Markdown lies', async () => {
  const list = await read('llms.txt')
  const links = [...list.matchAll(/^- \[(.+)\]\(\/(.+?\.md)\)/gm)].filter(([, title]) => title !== 'made')
  const english = pages.filter((page) => !/^zh\/|^index\.md$|\[/.test(page))

  expect(links.map(([, , path = '']) => path).toSorted()).toEqual(english.toSorted())
  expect(list).toContain('- [made](/reference/api/made.md): It has no file.\n')
  for (const [, title, path = ''] of links) {
    const text = await read(path)
    expect(text).toBe(await readFile(join(srcDir, path), 'utf8'))
    expect(text).toContain('# ')
    expect(title).not.toMatch(/\.md$/)
  }
})

it('has the whole text of each page that tells how the product is used', async () => {
  const whole = await read('llms-full.txt')
  for (const page of ['guide/start.md', 'reference/v1.md', 'operate/quotas.md'])
    expect(whole).toContain(await readFile(join(srcDir, page), 'utf8'))
  expect(whole).not.toContain('<!-- /decisions/')
})
