// The packed package, in an empty folder, on the given Node: check-package.mjs TARBALL NODE
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { runServer } from './run-server.mjs'

const START_MS = 30_000
const [tarball, node] = process.argv.slice(2).map((path) => resolve(path))
const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-package-'))
// Both npm and the bin's first line look for `node` in PATH.
const options = { cwd: folder, env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH } }
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Somebody's own server, as strict as TypeScript can be, the package's declarations included. */
function compiles() {
  // The first program of the guide, with the package in the place of the sources.
  const guide = readFileSync(join(root, 'docs/own-agent.md'), 'utf8')
  const program = /```ts\n(.*?)```/s.exec(guide)?.[1].replace('./src/index.ts', 'dragoman')
  assert.ok(program?.includes(`from 'dragoman'`), 'docs/own-agent.md has no program')
  writeFileSync(join(folder, 'own.mts'), program)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['own.mts'] }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, error } = spawnSync(process.execPath, [compiler, '-p', folder], {
    ...options,
    encoding: 'utf8',
  })
  if (error) throw error
  // What other packages' declarations lack is theirs.
  const ours = stdout.split('\n').filter((line) => /^(own\.mts|node_modules\/dragoman\/|error)/.test(line))
  assert.deepEqual(ours, [], 'the declarations do not compile')
}

try {
  const install = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error', tarball]
  execFileSync('npm', install, { ...options, stdio: ['ignore', 2, 2] })

  const called = ['--offline', 'dragoman', '--version']
  const said = execFileSync('npx', called, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  }).trim()
  assert.equal(said, `dragoman ${version}`, 'npx dragoman --version')

  const bin = join(folder, 'node_modules/.bin/dragoman')
  const home = join(folder, 'home')
  const { stdout, stderr } = await runServer(bin, ['--port', '0', '--home', home], options, START_MS)
  assert.match(stdout, /^dragoman ready \S+\n$/, `more than the ready line on stdout:\n${stdout}`)
  assert.doesNotMatch(stderr, /Warning/, `a warning that nobody can do anything about:\n${stderr}`)

  compiles()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
