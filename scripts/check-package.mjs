// The packed package, in an empty folder, on the given Node: check-package.mjs TARBALL NODE
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { runServer } from './run-server.mjs'

const START_MS = 30_000
const [tarball, node] = process.argv.slice(2).map((path) => resolve(path))
const folder = mkdtempSync(join(tmpdir(), 'dragoman-package-'))
// Both npm and the bin's first line look for `node` in PATH.
const options = { cwd: folder, env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH } }
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

try {
  const install = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error', tarball]
  execFileSync('npm', install, { ...options, stdio: ['ignore', 2, 2] })

  const bin = join(folder, 'node_modules/.bin/dragoman')
  const said = execFileSync(bin, ['--version'], { ...options, encoding: 'utf8' }).trim()
  assert.ok(said.split(' ').includes(version), `dragoman --version says "${said}", not ${version}`)

  const home = join(folder, 'home')
  const { stdout } = await runServer(bin, ['--port', '0', '--home', home], options, START_MS)
  assert.match(stdout, /^dragoman ready \S+\n$/, `more than the ready line on stdout:\n${stdout}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
