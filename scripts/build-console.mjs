// The console is built into packages/console/page, from which the server serves it. Imports no package.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { runChild } from './run-child.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'packages/console')
/** Written last: an interrupted build leaves none. */
const marker = join(folder, 'page/.built-from')
/** What the page is made of. */
const SOURCES = [
  'package-lock.json',
  'packages/console/app',
  'packages/console/vite.config.ts',
  'packages/client/src',
  'packages/dragoman/src/events',
]

export function isConsoleBuilt() {
  return existsSync(marker) && readFileSync(marker, 'utf8') === stamp()
}

/** Builds the page with the given Node. */
export async function buildConsole(node, started) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const complaints = await runChild({ node, folder, started }, vite, 'build', '--logLevel', 'error')
  if (complaints !== undefined) throw new Error('The console could not be built; the lines above say why.')
  writeFileSync(marker, stamp())
}

function stamp() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesIn(join(root, source))))
    hash.update(`${file.slice(root.length)} `).update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)))
}
