import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Plugin } from 'rolldown'
import type { TestProject } from 'vitest/node'

import { hasText, lastChangeOf } from './last-change.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Has the file of each program. */
export const BUNDLE: string = join(ROOT, 'node_modules/.cache/server')
const PROGRAMS = ['apps/server/src/bin.ts', 'test/support/bin-on-postgres.ts']
const SOURCES = ['{packages,agents,apps}/*/src/**/*.ts', 'test/support/*.ts', 'package-lock.json']
/** Our packages, and those of others that have many modules. All else is loaded from where it is installed. */
const BUNDLED_PACKAGES = /^(?:dragoman|@dragoman|kysely|zod|hono|undici|commander)(?:\/|$)/

/**
 * Joins the modules of the server into few files, once after each change: a process that a test starts is ready in
 * about half the time.
 */
export async function setup(project: TestProject): Promise<void> {
  await bundleServer()
  project.onTestsRerun(bundleServer)
}

async function bundleServer(): Promise<void> {
  const lastChange = lastChangeOf(SOURCES)
  if (hasText(join(BUNDLE, 'last-change'), lastChange)) return
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: PROGRAMS.map((file) => join(ROOT, file)),
    platform: 'node',
    plugins: [externalPackages, sourcePaths],
  })
  const draft = `${BUNDLE}-${process.pid}`
  await bundle.write({ dir: draft })
  await bundle.close()
  writeFileSync(join(draft, 'package.json'), '{"type":"module"}')
  writeFileSync(join(draft, 'last-change'), lastChange)
  rmSync(BUNDLE, { recursive: true, force: true })
  renameSync(draft, BUNDLE)
}

/** Packages may have another version elsewhere in the tree: each is imported by its path. */
const externalPackages: Plugin = {
  name: 'external-packages',
  async resolveId(id, importer, options) {
    if (importer === undefined || !/^[^./]/.test(id) || id.startsWith('node:') || BUNDLED_PACKAGES.test(id))
      return null
    const found = await this.resolve(id, importer, { ...options, skipSelf: true })
    return found && !found.external ? { id: found.id, external: 'absolute' } : { id, external: true }
  },
}

/** Files that the modules look for, and threads that they start, are where their sources are. */
const sourcePaths: Plugin = {
  name: 'source-paths',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta')) return null
    return code
      .replaceAll('import.meta.url', `'${pathToFileURL(id).href}'`)
      .replaceAll('import.meta.dirname', `'${dirname(id)}'`)
  },
}
