// Installs packed packages into an empty folder: install-tarballs.mjs TARBALLS FOLDER NAME...
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { closureOf, root, workspacePackages } from './workspace.mjs'

/**
 * `others` come from the registry, as `npm install` takes them, `versions` in place of those that this repository was
 * tested with. `flags` are further ones of npm.
 */
export function installTarballs(
  folder,
  tarballs,
  names,
  { env = process.env, others = [], versions = {}, flags = [] } = {},
) {
  mkdirSync(folder, { recursive: true })
  // Otherwise npm uses a package.json of a parent folder.
  const manifest = { private: true, type: 'module', overrides: { ...lockedVersions(), ...versions } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const found = new Set()
  for (const name of names) closureOf(name, found)
  const install = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error', ...flags]
  const paths = Array.from(found, (each) => tarballOf(tarballs, each))
  execFileSync('npm', [...install, ...paths, ...others], { cwd: folder, env, stdio: ['ignore', 2, 2] })
}

/** As npm names it: `@dragoman/pi` 0.1.0 is `dragoman-pi-0.1.0.tgz`. */
export function tarballOf(tarballs, { name, manifest }) {
  const file = `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
  if (!readdirSync(tarballs).includes(file)) throw new Error(`There is no ${file} in ${tarballs}`)
  return join(tarballs, file)
}

/**
 * The versions that this repository was tested with, as `overrides`. Otherwise an installation would take versions
 * published a minute ago, even while part of a package family is missing.
 */
export function lockedVersions() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const versions = new Map()
  for (const [place, { version, dev, link }] of Object.entries(packages)) {
    const [, name] = /^.*node_modules\/(.+)$/.exec(place) ?? []
    if (name === undefined || dev || link) continue
    versions.set(name, new Set([...(versions.get(name) ?? []), version]))
  }
  const single = [...versions].filter(([, all]) => all.size === 1)
  return {
    ...Object.fromEntries(single.map(([name, [version]]) => [name, version])),
    ...pinsOfOurs(versions),
  }
}

/** Our own dependencies of which others need another version, by the package that has them. */
function pinsOfOurs(versions) {
  const pins = workspacePackages.map(({ name, manifest: { dependencies = {} } }) => [
    name,
    Object.fromEntries(Object.entries(dependencies).filter(([each]) => (versions.get(each)?.size ?? 0) > 1)),
  ])
  return Object.fromEntries(pins.filter(([, own]) => Object.keys(own).length > 0))
}

// `import.meta.main` is undefined in the old Node that may run this.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tarballs, folder, ...names] = process.argv.slice(2)
  installTarballs(resolve(folder), resolve(tarballs), names)
}
