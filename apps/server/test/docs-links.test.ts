import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'

import { describe, expect, it } from 'vitest'

import { sidebar } from '../../../docs/.vitepress/sidebar.ts'

const ROOT = join(import.meta.dirname, '../../..')
const pages = globSync(['*.md', 'docs/**/*.md', '{agents,apps,examples,packages}/*/README.md'], { cwd: ROOT })
  // The pages of the API are generated: their sources have no links.
  .filter((file) => file !== 'CLAUDE.md' && !file.startsWith('docs/reference/api/'))
  .map((file) => ({ file, words: withoutCode(readFileSync(join(ROOT, file), 'utf8')) }))
const places = new Map(pages.map(({ file, words }) => [file, headingsOf(words)]))
const links = pages.flatMap(({ file, words }) =>
  Array.from(words.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g), ([, to = '', place]) => ({
    from: file,
    to: targetOf(file, to),
    place,
  })),
)

/** The file that a link leads to. One from the root of the site leads to a picture. */
function targetOf(file: string, to: string): string {
  if (to.startsWith('/')) return join('docs/public', to)
  return to === '' ? file : normalize(join(file, '..', to))
}

/** The pages that the sidebars of the site list. */
const listed = Array.from(
  JSON.stringify([sidebar('en'), sidebar('zh')]).matchAll(/"link":"([^"]+)"/g),
  ([, link = '']) => `docs${link}${link.endsWith('/') ? 'index' : ''}.md`,
)

function withoutCode(page: string): string {
  return page.replace(/^```.*?^```/gms, '')
}

/** As a heading is called in an address. */
function headingsOf(words: string): ReadonlySet<string> {
  const headings = Array.from(words.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/&\w+;|[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set(headings)
}

describe('the links of the documentation', () => {
  it('lead to existing pages and headings', () => {
    const broken = links.filter(
      ({ to, place }) =>
        !existsSync(join(ROOT, to)) || (place !== undefined && places.get(to)?.has(place) === false),
    )

    expect(broken).toEqual([])
  })

  it('reach every page from another page or the sidebar', () => {
    const linked = new Set([...links.filter(({ from, to }) => from !== to).map(({ to }) => to), ...listed])

    expect(pages.map(({ file }) => file).filter((file) => !linked.has(file))).toEqual(['README.md'])
  })

  it('lead from the sidebar to existing pages', () => {
    const generated = (file: string): boolean => file.startsWith('docs/reference/api/')

    expect(listed.filter((file) => !generated(file) && !existsSync(join(ROOT, file)))).toEqual([])
  })
})
