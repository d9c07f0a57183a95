// Builds what the image has in /app: build-image-root.mjs TARBALLS FOLDER [PACKAGE...]
// TARBALLS is a folder of scripts/pack.mjs. The image is without each PACKAGE, such as `jobs`. Docker is not needed.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { installTarballs } from '../scripts/install-tarballs.mjs'
import { removePackage } from '../scripts/remove-package.mjs'
import { workspacePackages } from '../scripts/workspace.mjs'

/** Files of other packages that only compilers, debuggers and their developers read: more than a third of all bytes. */
const UNUSED_FILES = ['**/*.{map,ts,mts,cts}', '{*,@*/*}/{test,docs,.yarn}', '.cache']

const [tarballs, folder, ...names] = process.argv.slice(2)
const server = workspacePackages.find(({ name }) => name === '@dragoman/server')
const excluded = new Set(names.map((name) => `@dragoman/${name}`))
const dependencies = Object.entries(server.manifest.dependencies).filter(([name]) => !excluded.has(name))
const isOurs = (name) => workspacePackages.some((each) => each.name === name)

const app = resolve(folder)
const ours = dependencies.map(([name]) => name).filter(isOurs)
const others = dependencies.filter(([name]) => !isOurs(name)).map(([name, version]) => `${name}@${version}`)
installTarballs(app, resolve(tarballs), ours, { others, flags: ['--ignore-scripts'] })

cpSync(join(server.built, 'dist'), join(app, 'dist'), { recursive: true })
const main = join(app, 'dist/main.js')
writeFileSync(main, [...excluded].reduce(removePackage, readFileSync(main, 'utf8')))

const modules = join(app, 'node_modules')
const isTheirs = (file) => !/^(?:@dragoman|dragoman)\//.test(file)
for (const file of globSync(UNUSED_FILES, { cwd: modules }).filter(isTheirs))
  rmSync(join(modules, file), { recursive: true, force: true })
