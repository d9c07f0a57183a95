import { readFileSync } from 'node:fs'

const folder = new URL('../../../demo/postings/', import.meta.url)

/** The demonstration's pages, in the order of its index. */
export const pages: readonly { readonly file: string; readonly url: string; readonly content: string }[] = (
  JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as { file: string; url: string }[]
).map((page) => ({ ...page, content: readFileSync(new URL(page.file, folder), 'utf8') }))
