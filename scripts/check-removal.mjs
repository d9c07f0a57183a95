// Checks that each agent and each package below is a plug-in: without its folder and its lines in apps/server,
// everything else works. check-removal.mjs [--all-tests] [NAME...]
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { removePackage } from './remove-package.mjs'
import { root, workspacePackages } from './workspace.mjs'

const NOT_COPIED = new Set(['.git', '.setup', 'dist', 'node_modules'])
/** It has what Node has compiled of third-party packages. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled')
/** Code that needs all bundled agents. */
const BUNDLE = ['bench', 'chaos', 'demo', ...serverTests()]
/**
 * Tests that start apps/server or read the source tree. No other test depends on an agent: those of the chat in the
 * terminal bring their own.
 */
const AFFECTED = [
  'apps/server/src',
  '--exclude=apps/server/src/cli/{chat,remote}/**',
  'test/architecture.test.ts',
  'test/dice-only.test.ts',
]

/** Packages, each with those that import it: they are removed together. */
const PACKAGES = { 'ag-ui': ['ag-ui', 'socket-io'], 'socket-io': ['socket-io'] }

const args = process.argv.slice(2)
const tests = args.includes('--all-tests') ? [] : AFFECTED
const named = args.filter((each) => !each.startsWith('--'))
const parts = named.length > 0 ? named : [...readdirSync(join(root, 'agents')), ...Object.keys(PACKAGES)]

// One copy for all: what has been compiled in it serves the next agent too.
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'dragoman-without-'))
const copy = join(folder, 'tree')
const COMPILER = join(root, 'node_modules/typescript/bin/tsc')
/** What the compiler knows of the copy. Without the next agent, it checks only what that changes. */
const TYPES = join(folder, 'types.tsbuildinfo')
try {
  copyTree()
  for (const part of parts) {
    process.stdout.write(`without ${part}\n`)
    const restore = removeAll(PACKAGES[part]?.map((each) => `packages/${each}`) ?? [`agents/${part}`])
    run(
      process.execPath,
      COMPILER,
      '-p',
      'tsconfig.build.json',
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      TYPES,
    )
    run(join(root, 'node_modules/.bin/vitest'), 'run', '--reporter=agent', ...tests)
    restore()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Tests of the server with all agents; the tests of its command line need what supports them. */
function serverTests() {
  const names = readdirSync(join(root, 'apps/server/test')).filter((name) => name !== 'support')
  return names.map((name) => `apps/server/test/${name}`)
}

function copyTree() {
  const bundle = new Set(BUNDLE.map((path) => join(root, path)))
  const isCopied = (path) => !NOT_COPIED.has(basename(path)) && !bundle.has(path)
  cpSync(root, copy, { recursive: true, filter: isCopied })
  linkModules(join(copy, 'node_modules'))
}

function removeAll(folders) {
  const restorations = folders.flatMap(removeFolder)
  return () => {
    for (const restore of restorations.toReversed()) restore()
  }
}

/** Removes the folder, its dependency, its import and its name in the list, as a developer would. */
function removeFolder(place) {
  const name = `@dragoman/${basename(place)}`
  return [
    moveAway(join(copy, place)),
    edit(join(copy, 'apps/server/package.json'), (text) => {
      const manifest = JSON.parse(text)
      delete manifest.dependencies[name]
      return JSON.stringify(manifest, null, 2)
    }),
    edit(join(copy, 'apps/server/src/main.ts'), (text) => removePackage(text, name)),
  ]
}

function moveAway(path) {
  const away = join(folder, `removed-${basename(path)}`)
  renameSync(path, away)
  return () => renameSync(away, path)
}

function edit(file, change) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, change(text))
  return () => writeFileSync(file, text)
}

/**
 * Third-party packages are linked from this tree, the repository's own from the copy, so that nothing finds a removed
 * folder.
 */
function linkModules(modules) {
  mkdirSync(join(modules, '@dragoman'), { recursive: true })
  const ours = new Set(['@dragoman', ...workspacePackages.map(({ name }) => name)])
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!ours.has(name) && name !== '.cache')
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const { name, folder: place } of workspacePackages) {
    symlinkSync(join(copy, place), join(modules, name))
    // Versions that differ between packages.
    const own = join(place, 'node_modules')
    if (existsSync(join(root, own))) symlinkSync(join(root, own), join(copy, own))
  }
}

function run(command, ...rest) {
  const env = { ...process.env, NODE_COMPILE_CACHE }
  const { status } = spawnSync(command, rest, { cwd: copy, env, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${basename(command)} ${rest.join(' ')} failed`)
}
