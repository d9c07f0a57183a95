import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const READY = /^dragoman ready (http:\/\/127\.0\.0\.1:\d+)$/m
const STOP_MS = 10_000

/**
 * Starts a server, uses it, stops it by SIGTERM, and returns its output. A dragoman prints its URL, exits with 0 and
 * leaves no process. Any other server is given by its `url`.
 */
export async function runServer(command, args, options, { readyWithinMs, url, use = useEverything }) {
  // Its own process group: any process left in it is an orphan.
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const started = Date.now()
  const output = { stdout: '', stderr: '', readyMs: 0 }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  const ended = once(child, 'close')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  try {
    const isReady = url ? () => answers(url) : () => READY.test(output.stdout)
    await until(async () => hasEnded() || (await isReady()), readyWithinMs)
    assert.ok(!hasEnded() && (await isReady()), 'it does not become ready')
    output.readyMs = Date.now() - started
    await use(url ?? READY.exec(output.stdout)[1])

    child.kill('SIGTERM')
    assert.ok(await until(hasEnded, STOP_MS), 'it does not stop')
    if (!url) {
      assert.equal(child.exitCode, 0, `after SIGTERM it exits with ${child.exitCode ?? child.signalCode}`)
      assert.ok(await until(() => !signalGroup(child.pid, 0), 1000), 'it leaves a process')
    }
    await ended
    return output
  } catch (error) {
    const story = `${[command, ...args].join(' ')}: ${error.message}\n${output.stdout}${output.stderr}`
    throw new Error(story, { cause: error })
  } finally {
    signalGroup(child.pid, 'SIGKILL')
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((closed) => server.close(closed))
  return port
}

/** Polls the condition. Returns whether it became true in time. */
export async function until(condition, withinMs) {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(10))
    if (await condition()) return true
  return condition()
}

async function answers(url) {
  const response = await fetch(url).catch(() => undefined)
  await response?.body?.cancel()
  return response !== undefined
}

/** Work that a server does at first use, threads and fonts included. */
async function useEverything(url) {
  const { status } = await fetch(`${url}/health`)
  assert.equal(status, 200, `GET /health says ${status}`)
  await ask(url)
  await ingest(url)
  await redraw(url)
}

/** One question with a tool in it, answered by the demo model: all that a run needs is there. */
async function ask(url) {
  const headers = { 'content-type': 'application/json' }
  const messages = [{ role: 'user', content: 'Find software engineer jobs' }]
  const body = JSON.stringify({ messages, options: { stream: false } })
  const response = await fetch(`${url}/jobs/chat`, { method: 'POST', headers, body })
  const reply = await response.json()
  assert.equal(response.status, 200, `POST /jobs/chat says ${response.status}: ${reply.error}`)
  assert.equal(reply.toolCalls?.[0]?.state, 'result', `no tool was run: ${JSON.stringify(reply)}`)
}

/** A page import, whose worker is a file of its own. */
async function ingest(url) {
  const headers = { 'content-type': 'application/json' }
  const content = `<h1>Software Engineer</h1><p>${'We build things that last. '.repeat(20)}</p>`
  const body = JSON.stringify({ url: 'https://jobs.acme.example/1', content })
  const response = await fetch(`${url}/jobs/ingest`, { method: 'POST', headers, body })
  const reply = await response.json()
  assert.equal(response.status, 200, `POST /jobs/ingest says ${response.status}: ${reply.error}`)
}

/** A resume that is rendered and parsed: fonts, and two more workers in files of their own. */
async function redraw(url) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ content: '# 林岚 Łucja\n\n## 专业技能\n\n- Go, PostgreSQL' })
  const made = await fetch(`${url}/jobs/resumes`, { method: 'POST', headers, body })
  assert.equal(made.status, 201, `POST /jobs/resumes says ${made.status}: ${await made.text()}`)
  const drawn = await fetch(`${url}/jobs/resumes/1/pdf`)
  assert.equal(drawn.status, 200, `GET /jobs/resumes/1/pdf says ${drawn.status}`)
  const form = new FormData()
  form.set('file', await drawn.blob(), 'resume.pdf')
  const uploaded = await fetch(`${url}/jobs/resumes`, { method: 'POST', body: form })
  const { resume, error } = await uploaded.json()
  assert.equal(uploaded.status, 201, `POST /jobs/resumes of a PDF says ${uploaded.status}: ${error}`)
  assert.match(resume.content, /林岚 Łucja[^]*PostgreSQL/, 'the PDF says something else than the resume')
}

/** Whether there was a process to receive it. */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}
