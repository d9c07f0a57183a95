// What npm does not say of its own lock, and other people's machines find out.
import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const complaints = []

/** As Node looks for it: in the package's own node_modules, then in those above it. */
function isLocked(name, from) {
  for (let place = from; ; place = place.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (packages[`${place ? `${place}/` : ''}node_modules/${name}`]) return true
    if (place === '') return false
  }
}

// A registry that lacks a platform's binary makes npm leave it out of the lock: that platform then gets none.
for (const [place, { optionalDependencies = {} }] of Object.entries(packages))
  for (const name of Object.keys(optionalDependencies))
    if (!isLocked(name, place)) complaints.push(`package-lock.json lacks ${name}, which ${place} needs`)

for (const group of ['dependencies', 'devDependencies', 'optionalDependencies'])
  for (const [name, version] of Object.entries(manifest[group] ?? {}))
    if (!/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      complaints.push(`package.json: ${name} is "${version}", not one exact version`)

// npm 12 runs no script that is not allowed by name; `npm install` then leaves the node package without its Node.
if (manifest.allowScripts?.node !== true) complaints.push('package.json: allowScripts does not name node')

for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
process.exitCode = complaints.length === 0 ? 0 : 1
