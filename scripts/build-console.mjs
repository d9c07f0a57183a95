// The console is built into packages/console/page, and what agents add to it into their own page/. Imports no package.
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
  'packages/console/views.config.ts',
  'packages/client/src',
  'packages/dragoman/src/events',
]

export function isConsoleBuilt() {
  return existsSync(marker) && readFileSync(marker, 'utf8') === stamp()
}

/** Builds all with the given Node. */
export async function buildConsole(node, started) {
  const vite = (...args) => {
    const program = join(root, 'node_modules/vite/bin/vite.js')
    return runChild({ node, folder, started }, program, 'build', '--logLevel', 'error', ...args)
  }
  for (const agent of agentsWithViews()) {
    process.env.AGENT_FOLDER = agent
    await orThrow(vite('--config', 'views.config.ts'))
  }
  await orThrow(vite())
  writeFileSync(marker, stamp())
}

async function orThrow(build) {
  if ((await build) !== undefined) throw new Error('The console could not be built; the lines above say why.')
}

function agentsWithViews() {
  const agents = join(root, 'agents')
  return readdirSync(agents)
    .map((name) => join(agents, name))
    .filter((agent) => existsSync(join(agent, 'views')))
}

function stamp() {
  const hash = createHash('sha256')
  // Examples that a view adds are in the agent's demo folder.
  const views = agentsWithViews()
    .flatMap((agent) => [join(agent, 'views'), join(agent, 'demo')])
    .filter((path) => existsSync(path))
  const sources = [...SOURCES.map((source) => join(root, source)), ...views]
  for (const file of sources.flatMap((source) => filesIn(source)))
    hash.update(`${file.slice(root.length)} `).update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)))
}
