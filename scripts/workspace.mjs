// The packages of this repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const outDir = join(root, 'dist')

/** Each package with its folder, and the folder for its published files. */
export const workspacePackages = ['packages', 'agents', 'apps'].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      return { folder, manifest, name: manifest.name, built: join(outDir, folder) }
    }),
)

/** A package and its dependencies within this repository, itself first. */
export function closureOf(name, found = new Set()) {
  const own = workspacePackages.find((each) => each.name === name)
  if (!own || found.has(own)) return found
  found.add(own)
  for (const dependency of Object.keys(own.manifest.dependencies ?? {})) closureOf(dependency, found)
  return found
}
