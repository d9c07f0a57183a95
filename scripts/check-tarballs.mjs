// Checks each tarball: check-tarballs.mjs TARBALLS INSTALLED, where INSTALLED has @dragoman/server from them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { installTarballs, tarballOf } from './install-tarballs.mjs'
import { licenseFault } from './licenses.mjs'
import { root, workspacePackages } from './workspace.mjs'

const [tarballs, installed] = process.argv.slice(2).map((path) => resolve(path))
const limits = JSON.parse(readFileSync(join(root, 'scripts/package-limits.json'), 'utf8'))
const sizes = sizesIn(installed)
const named = new Set(
  workspacePackages.flatMap(({ name, manifest }) => [name, ...Object.keys(manifest.dependencies ?? {})]),
)
const complaints = []

for (const each of workspacePackages) {
  const env = { ...process.env, TARBALL: tarballOf(tarballs, each) }
  // A package with only a command has no types.
  for (const check of each.manifest.exports['.'] ? ['check:tarball', 'check:types'] : ['check:tarball'])
    execFileSync('npm', ['run', '--silent', check], { cwd: root, env, stdio: ['ignore', 2, 2] })
  checkContents(each.name)
}

/** Checks the dependencies and the size of each package. The server includes everything that the others bring. */
function checkContents(name) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-tarball-'))
  try {
    installTarballs(folder, tarballs, [name], { flags: ['--package-lock-only', '--prefer-offline'] })
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    const places = Object.entries(packages).filter(
      ([place, { optional }]) => place !== '' && !isForOthers(place, optional),
    )
    const count = places.length
    const bytes = places.reduce(
      (sum, [place, { version }]) => sum + (sizes.get(`${nameIn(place)}@${version}`) ?? 0),
      0,
    )
    const megabytes = Math.ceil(bytes / 1e6)
    process.stdout.write(`${name}: ${count} packages, ${megabytes} MB\n`)
    const limit = limits.packages[name] ?? { packages: 0, megabytes: 0 }
    if (count > limit.packages)
      complaints.push(`${name} brings ${count} packages, more than ${limit.packages}`)
    if (megabytes > limit.megabytes)
      complaints.push(`${name} takes ${megabytes} MB, more than ${limit.megabytes}`)
    for (const [place, found] of places) {
      const fault = licenseFault(place, found)
      if (fault) complaints.push(`${name}: ${fault}`)
    }
    complaints.push(...twiceIn(places).map((twice) => `${name}: ${twice}`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Binaries of other platforms are in the lock but not installed. */
function isForOthers(place, optional) {
  return optional === true && !sizes.has(nameIn(place))
}

/** Direct dependencies of this repository must not be installed twice. Duplicates of others do not count. */
function twiceIn(places) {
  const versions = new Map()
  for (const [place, { version }] of places)
    versions.set(nameIn(place), new Set([...(versions.get(nameIn(place)) ?? []), version]))
  return [...versions]
    .filter(([name, all]) => all.size > 1 && named.has(name) && !(name in limits.twice))
    .map(([name, all]) => `${name} comes along as ${[...all].join(' and ')}`)
}

/** Bytes of each installed package, by its name and by name and version. */
function sizesIn(folder) {
  const modules = join(folder, 'node_modules')
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  const found = new Map()
  for (const [place, { version }] of Object.entries(packages)) {
    const bytes = bytesIn(join(folder, place))
    found.set(nameIn(place), bytes).set(`${nameIn(place)}@${version}`, bytes)
  }
  return found
}

/** Without nested packages. */
function bytesIn(folder) {
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') sum += bytesIn(path)
    if (entry.isFile()) sum += statSync(path).size
  }
  return sum
}

function nameIn(place) {
  return place.replace(/^.*node_modules\//, '')
}

for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
process.exitCode = complaints.length === 0 ? 0 : 1
