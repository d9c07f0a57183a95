// Tests `npm start` in a fresh copy of the repository: it sets up, serves, and stops on a signal.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runServer } from './run-server.mjs'

const SET_UP_AND_START_MS = 5 * 60_000
const home = mkdtempSync(join(tmpdir(), 'dragoman-home-'))

try {
  const start = ['start', '--', '--port', '0', '--home', home]
  const { stdout, stderr } = await runServer('npm', start, {}, { readyWithinMs: SET_UP_AND_START_MS })

  // Programs parse that line, so set-up, npm and the logger must print nothing before it.
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('> '))
  assert.equal(lines.length, 1, `more than the ready line on stdout:\n${stdout}`)
  assert.doesNotMatch(stderr, /EBADENGINE/, 'set-up ran npm under a Node that the packages do not want')
} finally {
  rmSync(home, { recursive: true, force: true })
}
