import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'

import { runChild } from './run-child.mjs'

/**
 * Runs npm in the folder with the repository's Node, because npm checks `engines` against the Node that runs it.
 * Returns nothing on success, otherwise npm's complaint. Runs no install scripts. All output goes to stderr: stdout
 * belongs to the server.
 */
export async function npm({ node, folder, started }, ...command) {
  const always = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder]
  return runChild({ node, folder, started }, npmFile(), ...command, ...always)
}

/** The path of npm: the one that started this process, or the one in PATH. */
function npmFile() {
  const caller = process.env.npm_execpath
  if (caller && basename(caller) === 'npm-cli.js') return caller
  if (caller)
    throw new Error(`This is set up with npm, not with ${basename(caller)}: say npm start or npm test.`)

  const folders = [dirname(process.execPath), ...(process.env.PATH || '').split(delimiter)]
  const found = folders
    .flatMap((folder) => [join(folder, 'npm'), join(folder, 'node_modules/npm/bin/npm-cli.js')])
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .find((path) => basename(path) === 'npm-cli.js')
  if (!found) throw new Error('npm is not in PATH. Install it beside Node and try again.')
  return found
}
