// Tests set-up in a fresh copy of the repository: two at the same moment, then one with nothing to do.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { promisify } from 'node:util'

const MARKER = 'node_modules/.dragoman-setup'
const IDLE_MS = 500

/** Install scripts need a shell. This one does not exist, so a set-up that runs a script fails. */
const env = { ...process.env, npm_config_script_shell: '/no/install/script/may/run' }
const setUp = () => promisify(execFile)(process.execPath, ['scripts/setup.mjs'], { env })

for (const { stdout, stderr } of await Promise.all([setUp(), setUp()])) {
  assert.equal(stdout, '', 'stdout is the server’s')
  assert.doesNotMatch(stderr, /EBADENGINE/, 'npm ran under a Node that the packages do not want')
}
const PATH = `${process.cwd()}/node_modules/.bin:${process.env.PATH}`
const node = execFileSync('node', ['--version'], { env: { ...env, PATH }, encoding: 'utf8' })
assert.match(node, /^v(2[4-9]|[3-9]\d)\./, 'npm’s scripts do not find the new Node')
assert.ok(!existsSync('.setup/lock'), 'the lock is still there')

const { mtimeMs } = statSync(MARKER)
const before = performance.now()
const { stderr } = await setUp()
const took = Math.round(performance.now() - before)
assert.equal(stderr, '', 'the second set-up had something to say')
assert.equal(statSync(MARKER).mtimeMs, mtimeMs, 'the second set-up did it all again')
assert.ok(took < IDLE_MS, `the second set-up took ${took} ms`)
