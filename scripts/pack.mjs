// Packs each package of dist/ into a folder: pack.mjs FOLDER. Prints the paths of the tarballs.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

import { workspacePackages } from './workspace.mjs'

const folder = resolve(process.argv[2])
mkdirSync(folder, { recursive: true })
for (const { built } of workspacePackages) {
  const pack = ['pack', built, '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]
  const [{ filename }] = Object.values(JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' })))
  process.stdout.write(`${resolve(folder, filename)}\n`)
}
