// Checks that each agent is a plug-in: without its folder and its lines in apps/server, everything else works.
// check-removal.mjs [--all-tests] [AGENT...]
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { removePackage } from './remove-package.mjs'
import { root, workspacePackages } from './workspace.mjs'

const NOT_COPIED = new Set(['.git', '.setup', 'dist', 'node_modules'])
/** Code that needs all bundled agents. */
const BUNDLE = ['bench', 'chaos', 'demo', ...serverTests()]
/** Tests that start apps/server or read the source tree. No other test depends on an agent. */
const AFFECTED = ['apps/server/src', 'test/architecture.test.ts', 'test/dice-only.test.ts']

const args = process.argv.slice(2)
const tests = args.includes('--all-tests') ? [] : AFFECTED
const named = args.filter((each) => !each.startsWith('--'))
const agents = named.length > 0 ? named : readdirSync(join(root, 'agents'))

for (const agent of agents) {
  const copy = mkdtempSync(join(realpathSync(tmpdir()), `dragoman-without-${agent}-`))
  try {
    process.stdout.write(`without ${agent}\n`)
    copyWithout(agent, copy)
    // The build checks types.
    run(copy, process.execPath, 'scripts/build.mjs')
    run(copy, join(root, 'node_modules/.bin/vitest'), 'run', '--reporter=agent', ...tests)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Tests of the server with all agents; the tests of its command line need what supports them. */
function serverTests() {
  const names = readdirSync(join(root, 'apps/server/test')).filter((name) => name !== 'support')
  return names.map((name) => `apps/server/test/${name}`)
}

function copyWithout(agent, copy) {
  const removed = new Set([`agents/${agent}`, `examples/${agent}`, ...BUNDLE].map((path) => join(root, path)))
  const isCopied = (path) => !NOT_COPIED.has(basename(path)) && !removed.has(path)
  cpSync(root, copy, { recursive: true, filter: isCopied })
  removeFromServer(join(copy, 'apps/server'), agent)
  linkModules(join(copy, 'node_modules'), (folder) => join(copy, folder))
}

/** Removes the dependency, the import and the name in the list, as a developer would. */
function removeFromServer(folder, agent) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  delete manifest.dependencies[`@dragoman/${agent}`]
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const main = join(folder, 'src/main.ts')
  writeFileSync(main, removePackage(readFileSync(main, 'utf8'), `@dragoman/${agent}`))
}

/**
 * Third-party packages are linked from this tree, the repository's own from the copy, so that nothing finds the
 * removed folder.
 */
function linkModules(modules, inCopy) {
  mkdirSync(join(modules, '@dragoman'), { recursive: true })
  const ours = new Set(['@dragoman', ...workspacePackages.map(({ name }) => name)])
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!ours.has(name)) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const { name, folder } of workspacePackages) {
    if (!existsSync(inCopy(folder))) continue
    symlinkSync(inCopy(folder), join(modules, name))
    // Versions that differ between packages.
    const own = join(folder, 'node_modules')
    if (existsSync(join(root, own))) symlinkSync(join(root, own), inCopy(own))
  }
}

function run(cwd, command, ...rest) {
  const { status } = spawnSync(command, rest, { cwd, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${basename(command)} ${rest.join(' ')} failed`)
}
