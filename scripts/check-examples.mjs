// Runs examples/ with the packed packages: check-examples.mjs TARBALLS NODE [NAME...]
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { lockedVersions, tarballOf } from './install-tarballs.mjs'
import { freePort, runServer, until } from './run-server.mjs'
import { closureOf, root } from './workspace.mjs'

const READY_MS = 60_000
const STOP_MS = 15_000
const [tarballs, node] = process.argv.slice(2, 4).map((path) => resolve(path))
/** All examples, unless some are named. */
const names = process.argv.slice(4)
const folder = mkdtempSync(join(tmpdir(), 'dragoman-examples-'))
const workDir = join(folder, 'work')

const compiler = join(root, 'node_modules/typescript/bin/tsc')
const next = 'node_modules/next/dist/bin/next'

/** Each example with its build command, if it needs more than type checks, and its server on a port. */
const examples = {
  next: {
    build: [next, 'build'],
    serve: (port) => [next, 'start', '-H', '127.0.0.1', '-p', String(port)],
  },
  fastify: { serve: () => ['server.ts'] },
  function: { serve: () => ['server.ts'], use: answersWith('counter', /2\. there/) },
  langgraph: { serve: () => ['server.ts'], use: answersWith('graph', /Set ANTHROPIC_API_KEY/) },
  mastra: { serve: () => ['server.ts'], use: answersWith('mastra', /Set ANTHROPIC_API_KEY/) },
}

function environment(name, port) {
  return {
    ...process.env,
    PATH: dirname(node) + delimiter + process.env.PATH,
    PORT: String(port),
    DRAGOMAN_HOME: join(folder, `home-${name}`),
    DRAGOMAN_ROOT: workDir,
    DRAGOMAN_MODEL: 'offline',
    DRAGOMAN_OFFLINE_PACE: '0',
    NEXT_TELEMETRY_DISABLED: '1',
  }
}

async function check(name, { build, serve, use = inAgentChat }) {
  const cwd = join(folder, name)
  cpSync(join(root, 'examples', name), cwd, { recursive: true })
  const run = async (command, args) => {
    const child = spawn(command, args, { cwd, env: environment(name, 0), stdio: ['ignore', 2, 2] })
    const [code] = await once(child, 'close')
    assert.equal(code, 0, `${name}: ${[command, ...args].join(' ')}`)
  }
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  const { dependencies, devDependencies } = manifest
  const own = new Set(Object.keys({ ...dependencies, ...devDependencies }))
  const overrides = Object.entries(lockedVersions()).filter(([locked]) => !own.has(locked))
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ ...manifest, overrides: Object.fromEntries(overrides) }),
  )
  const ours = new Set()
  for (const dependency of Object.keys(dependencies)) closureOf(dependency, ours)
  const packed = Array.from(ours, (each) => tarballOf(tarballs, each))
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packed])
  await run(node, build ?? [compiler, '-p', cwd])

  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = { readyWithinMs: READY_MS, url, use: () => use(url, name) }
  await runServer(node, serve(port), { cwd, env: environment(name, port) }, started)
}

async function inAgentChat(url, name) {
  await converse(`${url}/api/agent-chat`)
  await leave(`${url}/api/agent-chat`, join(workDir, `beat-${name}`))
}

/** An agent's own engine: its answer in the chat and in the log. */
function answersWith(agent, words) {
  return async (url) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ message: 'Hello there', stream: false })
    const response = await fetch(`${url}/${agent}/chat`, { method: 'POST', headers, body })
    const { run, message } = await response.json()
    assert.equal(run?.status, 'finished', `the run of ${agent}: ${JSON.stringify(message)}`)
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    assert.match(text, words, `the answer of ${agent}`)
  }
}

/** A question with a tool call, read from the first frame to the last. */
async function converse(url) {
  const frames = []
  for await (const frame of askCoding(url, 'read note.txt')) frames.push(frame)
  const framesText = JSON.stringify(frames)
  assert.equal(frames[0]?.type, 'agent_start', `the first frame: ${framesText}`)
  assert.equal(frames.at(-1)?.type, 'complete', `the last frame: ${framesText}`)
  const result = frames.find(({ type }) => type === 'tool_result')
  assert.match(result?.content ?? '', /a word in a file/, `what the tool returned: ${framesText}`)
}

/** Runs a command that does not end by itself, until the caller has finished. */
async function leave(url, beat) {
  const control = new AbortController()
  const command = `while true; do date > ${beat}; sleep 0.1; done`
  const reading = (async () => {
    for await (const { type } of askCoding(url, `run \`${command}\``, control.signal))
      assert.notEqual(type, 'complete', 'a command without an end is said to have ended')
  })().catch((error) => {
    if (!control.signal.aborted) throw error
  })
  assert.ok(await until(() => changed(beat) > 0, STOP_MS), 'the command does not run')
  control.abort()
  await reading
  const isStill = async () => {
    const before = changed(beat)
    await sleep(1000)
    return changed(beat) === before
  }
  assert.ok(await until(isStill, STOP_MS), 'the command runs on when its caller has gone')
}

async function* askCoding(url, message, signal) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ message, workDir }),
    signal,
  })
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('text/event-stream')) assert.fail(`${response.status} ${await response.text()}`)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
  }
}

function changed(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

try {
  mkdirSync(workDir)
  writeFileSync(join(workDir, 'note.txt'), 'a word in a file\n')
  const chosen = Object.entries(examples).filter(([name]) => names.length === 0 || names.includes(name))
  // All at once: npm mostly waits.
  const ends = await Promise.allSettled(chosen.map(([name, example]) => check(name, example)))
  for (const { status, reason } of ends) if (status === 'rejected') throw reason
} finally {
  rmSync(folder, { recursive: true, force: true })
}
