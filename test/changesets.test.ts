import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

it('has changesets for packages of the workspace only: another name stops a release', () => {
  const manifests = globSync('{packages,agents,apps}/*/package.json', { cwd: ROOT })
  const packages = new Set(manifests.map((path) => (JSON.parse(read(path)) as { name: string }).name))
  const named = globSync('.changeset/*.md', { cwd: ROOT }).flatMap((path) => {
    const [, head = ''] = read(path).split(/^---$/m)
    return Array.from(head.matchAll(/^'([^'\n]+)': \w+$/gm), ([, name = '']) => ({ path, name }))
  })

  expect(packages).toContain('@dragoman/server')
  expect(named.filter(({ name }) => !packages.has(name))).toEqual([])
})
