// Tests the core alone in an empty folder, with a provider: check-core.mjs TARBALLS NODE
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { HttpAgent } from '@ag-ui/client'
import { DefaultChatTransport, readUIMessageStream } from 'ai'

import { installTarballs } from './install-tarballs.mjs'
import { root } from './workspace.mjs'

const MAX_PACKAGES = 45
const MAX_MEGABYTES = 35
const READY_MS = 30_000
const [tarballs, node] = process.argv.slice(2).map((path) => resolve(path))
const folder = mkdtempSync(join(tmpdir(), 'dragoman-core-'))
const port = await freePort()
const URL = `http://127.0.0.1:${port}`
let child

try {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'))
  const core = JSON.parse(readFileSync(join(root, 'packages/dragoman/package.json'), 'utf8'))
  const others = [`@ai-sdk/anthropic@${dependencies['@ai-sdk/anthropic']}`, `zod@${core.dependencies.zod}`]
  installTarballs(folder, tarballs, ['dragoman'], { others })
  checkSize()

  const guide = readFileSync(join(root, 'README.md'), 'utf8')
  const program = /```ts\n(.*?)```/s.exec(guide)[1].replace('port: 3033', `port: ${port}`)
  writeFileSync(join(folder, 'server.ts'), program)
  await start('0')
  const [, path, body] = /curl -N http:\/\/127\.0\.0\.1:3033(\S+) .* -d '(.*)'/.exec(guide)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(URL + path, { method: 'POST', headers, body })
  assert.match(await response.text(), /run\.finished/, 'the curl of the README')
  assert.match(await ask('one', fetch), /ANTHROPIC_API_KEY/, 'useChat')
  const agent = new HttpAgent({ url: `${URL}/ag-ui/dice`, threadId: 'two' })
  agent.addMessage({ id: 'u1', role: 'user', content: 'Roll a die with 6 sides' })
  const { newMessages } = await agent.runAgent()
  assert.match(JSON.stringify(newMessages), /ANTHROPIC_API_KEY/, 'HttpAgent')
  await kill()
  await readOn()
} finally {
  await kill()
  rmSync(folder, { recursive: true, force: true })
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

/** Kills the server in the middle of an answer and restarts it: the same client continues. */
async function readOn() {
  const { resumableFetch } = await import(join(root, 'packages/client/src/index.ts'))
  await start('20')
  let isKilled = false
  const text = await ask('three', resumableFetch(), async (soFar) => {
    if (isKilled || soFar.length < 40) return
    isKilled = true
    await kill()
    await start('0')
  })
  assert.ok(isKilled, 'it was over before it could be killed')
  assert.equal(text.split('ANTHROPIC_API_KEY').length, 2, `what was read over a kill: ${text}`)
}

async function ask(chatId, fetchWith, each = async () => {}) {
  const transport = new DefaultChatTransport({ api: `${URL}/dice/chat`, fetch: fetchWith })
  const message = {
    id: `m-${chatId}`,
    role: 'user',
    parts: [{ type: 'text', text: 'Roll a die with 6 sides' }],
  }
  const trigger = 'submit-message'
  const stream = await transport.sendMessages({ trigger, chatId, messages: [message] })
  let text = ''
  for await (const { parts } of readUIMessageStream({ stream })) {
    text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    await each(text)
  }
  return text
}

async function start(pace) {
  const env = { PATH: process.env.PATH, DRAGOMAN_HOME: join(folder, 'home'), DRAGOMAN_OFFLINE_PACE: pace }
  child = spawn(node, ['server.ts'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const isReady = () =>
    fetch(`${URL}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const end = Date.now() + READY_MS; !(await isReady()); await sleep(50))
    assert.ok(Date.now() < end && child.exitCode === null, 'the program of the README does not start')
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address()
  server.close()
  await once(server, 'close')
  return free
}

async function kill() {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
