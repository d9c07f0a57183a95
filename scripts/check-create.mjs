// Tests a project that `npm create dragoman` generates from its tarball: check-create.mjs TARBALLS NODE
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

import { installTarballs, tarballOf } from './install-tarballs.mjs'
import { runServer } from './run-server.mjs'
import { closureOf } from './workspace.mjs'

const START_MS = 30_000
const [tarballs, node] = process.argv.slice(2).map((path) => resolve(path))
const folder = mkdtempSync(join(tmpdir(), 'dragoman-create-'))
const project = join(folder, 'my-agent')
const env = {
  ...process.env,
  PATH: dirname(node) + delimiter + process.env.PATH,
  PORT: '0',
  DRAGOMAN_HOME: join(folder, 'home'),
  DRAGOMAN_OFFLINE_PACE: '0',
}
const run = (command, ...args) => execFileSync(command, args, { cwd: project, env, stdio: ['ignore', 2, 2] })

try {
  installTarballs(folder, tarballs, ['create-dragoman'], { env })
  const create = [join(folder, 'node_modules/.bin/create-dragoman'), project, '--provider', 'none', '--page']
  execFileSync(node, create, { cwd: folder, env, stdio: ['ignore', 2, 2] })

  const packed = [...closureOf('dragoman'), ...closureOf('@dragoman/client')].map((each) =>
    tarballOf(tarballs, each),
  )
  run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...packed)
  run('npm', 'test', '--silent')
  run('npm', 'run', '--silent', 'check')
  run('npm', 'run', '--silent', 'page:build')
  // The command of `npm start`, because npm does not forward signals.
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const [command, ...args] = scripts.start.split(' ')
  assert.equal(command, 'node')
  const use = async (url) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ message: 'Roll 2 dice' })
    const response = await fetch(`${url}/dice/chat`, { method: 'POST', headers, body })
    assert.match(await response.text(), /You rolled \[\d, ?\d\]/, 'the demo model does not answer')
  }
  const { stdout } = await runServer(node, args, { cwd: project, env }, { readyWithinMs: START_MS, use })
  assert.match(stdout, /^dragoman ready /m)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
