// Tests the core alone in an empty folder, with a provider: check-core.mjs TARBALLS NODE
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { installTarballs } from './install-tarballs.mjs'
import { freePort, runServer } from './run-server.mjs'
import { root } from './workspace.mjs'

const MAX_PACKAGES = 45
const MAX_MEGABYTES = 35
const READY_MS = 30_000
const [tarballs, node] = process.argv.slice(2).map((path) => resolve(path))
const folder = mkdtempSync(join(tmpdir(), 'dragoman-core-'))

try {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'))
  const core = JSON.parse(readFileSync(join(root, 'packages/dragoman/package.json'), 'utf8'))
  const others = [`@ai-sdk/anthropic@${dependencies['@ai-sdk/anthropic']}`, `zod@${core.dependencies.zod}`]
  installTarballs(folder, tarballs, ['dragoman'], { others })
  checkSize()
  await checkProgram()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs the program of the README with its curl command. `test/readme.test.ts` tests the clients and a kill. */
async function checkProgram() {
  const guide = readFileSync(join(root, 'README.md'), 'utf8')
  const port = await freePort()
  const program = /```ts\n(.*?)```/s.exec(guide)[1].replace('port: 3033', `port: ${port}`)
  writeFileSync(join(folder, 'server.ts'), program)
  const [, path, body] = /curl -N http:\/\/127\.0\.0\.1:3033(\S+) .* -d '(.*)'/.exec(guide)
  const use = async (url) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body })
    assert.match(await response.text(), /run\.finished/, 'the curl command of the README')
  }
  const env = { PATH: process.env.PATH, DRAGOMAN_HOME: join(folder, 'home'), DRAGOMAN_OFFLINE_PACE: '0' }
  const url = `http://127.0.0.1:${port}`
  await runServer(node, ['server.ts'], { cwd: folder, env }, { readyWithinMs: READY_MS, url, use })
}

function checkSize() {
  const modules = join(folder, 'node_modules')
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  const count = Object.keys(packages).length
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  const megabytes = Math.ceil(bytes / 1e6)
  process.stdout.write(`the core and a provider: ${count} packages, ${megabytes} MB\n`)
  assert.ok(count <= MAX_PACKAGES, `${count} packages, more than ${MAX_PACKAGES}`)
  assert.ok(megabytes <= MAX_MEGABYTES, `${megabytes} MB, more than ${MAX_MEGABYTES}`)
}
