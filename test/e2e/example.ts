import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Browser } from 'playwright-core'
import { build, preview } from 'vite'
import { afterAll, beforeAll } from 'vitest'

import { openBrowser } from './browser.ts'

/** One of the examples, built once for the tests of a file, and a browser to look at it. */
export function builtExample(name: string) {
  const root = join(import.meta.dirname, '../../examples', name)
  let outDir: string
  let browser: Browser
  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'dragoman-page-'))
    const built = build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
    ;[browser] = await Promise.all([openBrowser(), built])
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await rm(outDir, { recursive: true })
  })
  return {
    newPage: () => browser.newPage(),
    /** Served as Vite does, before a server that is asked for what lies below `path`. */
    async serve(path: string, target: string) {
      const proxy = { [path]: { target, changeOrigin: false } }
      const options = { host: '127.0.0.1', port: 0, proxy }
      const site = await preview({ root, logLevel: 'error', build: { outDir }, preview: options })
      return { url: site.resolvedUrls?.local[0] ?? '', close: () => site.close() }
    },
  }
}
