import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import type { RunEvent } from '../../packages/dragoman/src/index.ts'
import { newRun } from '../../packages/dragoman/src/log/store-claims.contract.ts'
import { openHomeStorage } from '../support/home-storage.ts'
import { isFull } from '../support/is-full.ts'
import { frame, rawSocket, type RawSocket } from '../support/raw-socket.ts'
import { useProcesses } from '../support/use-processes.ts'
import { ask, line } from '../support/wire.ts'

const house = useProcesses()

const MB = 1_000_000
const READERS = 64
const RUNS = 8
const BYTES_PER_RUN = 4 * MB
/** What all readers together may make the server hold. */
const MAX_GROWTH_MB = 256
const runId = (n: number): string => `run_large-00000${n}`
const LAST = runId(RUNS - 1)

/** Words in pieces, and an outcome that is one entry: half of a run each. */
function eventsOf(id: string): RunEvent[] {
  const piece = 'word '.repeat(10_000)
  const words: RunEvent[] = Array.from({ length: BYTES_PER_RUN / 2 / piece.length }, () => ({
    type: 'text.delta',
    partId: `${id}.1`,
    delta: piece,
  }))
  return [
    { type: 'step.started', model: 'm' },
    { type: 'text.started', partId: `${id}.1` },
    ...words,
    { type: 'text.ended', partId: `${id}.1` },
    { type: 'tool.called', callId: `${id}.2`, tool: 'look', input: {} },
    { type: 'tool.returned', callId: `${id}.2`, output: null, text: 'word '.repeat(BYTES_PER_RUN / 10) },
    { type: 'run.finished', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } },
  ]
}

/** A conversation with 32 MB of answers. */
async function fill(threadId: string): Promise<void> {
  const { store, close } = await openHomeStorage(house.home)
  // Claimed at once: the server ends runs of an owner that is gone, or of none.
  const owner = 'elsewhere/1/a/b'
  await store.alive(owner, 600_000)
  for (let n = 0; n < RUNS; n++) {
    const id = runId(n)
    const run = newRun(id, {
      threadId,
      userId: 'local',
      agent: 'assistant',
      messageId: `msg_large-00000${n}`,
      ...(n > 0 && { parentId: `msg_large-00000${n - 1}` }),
    })
    const request = { ...run.request, messageId: `msg_user-000000${n}` }
    const { run: stored } = await store.create({ ...run, request }, 'reject', owner)
    await store.append(id, eventsOf(id), { epoch: stored.epoch })
  }
  await close()
}

/** Resident memory in MB. */
function memoryOf(pid: number | undefined): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** By how much a process grows while something goes on, in MB. */
async function growthDuring(pid: number | undefined, work: () => Promise<unknown>): Promise<number> {
  const before = memoryOf(pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, memoryOf(pid))), 50)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return Math.max(most, memoryOf(pid)) - before
}

type Surface = { readonly what: string; readonly path: (thread: string) => string; readonly body?: string }
const SURFACES: readonly Surface[] = [
  { what: 'the messages of a thread', path: (thread) => `/v1/threads/${thread}/messages?limit=100` },
  { what: 'an export', path: (thread) => `/v1/threads/${thread}/export` },
  { what: 'an export for people', path: (thread) => `/v1/threads/${thread}/export?format=markdown` },
  { what: 'the history of a chat', path: (thread) => `/assistant/chat/history?conversationId=${thread}` },
  {
    what: 'the history for useChat',
    path: (thread) => `/assistant/chat/history?conversationId=${thread}&format=ui`,
  },
  { what: 'a look of CopilotKit', path: () => '/copilotkit/agent/assistant/connect', body: 'connect' },
  { what: 'a run', path: () => `/v1/runs/${LAST}` },
  { what: 'the events of a run', path: () => `/v1/runs/${LAST}/events` },
  { what: 'the events of a run in AG-UI', path: () => `/v1/runs/${LAST}/events?protocol=ag-ui` },
]

async function join(url: string): Promise<RawSocket> {
  const socket = await rawSocket(url)
  socket.connection.write(frame('text', '40'))
  await socket.until('40{"sid"')
  return socket
}

/** Resolves once the server holds the same bytes of answers for a while: no reader takes more. */
async function isSettled(url: string): Promise<void> {
  let before: unknown
  const isSame = async (): Promise<boolean> => {
    const { json } = await ask(url, { path: '/v1/load' })
    const held = JSON.stringify(json['load'])
    const isEqual = held === before
    before = held
    return isEqual
  }
  await expect.poll(isSame, { interval: 1000, timeout: 30_000 }).toBe(true)
}

describe.runIf(isFull && process.platform === 'linux')(`${READERS} readers of 32 MB at once`, () => {
  const start = async (): Promise<{ url: string; pid: number | undefined; thread: string }> => {
    const args = ['--port', '0', '--home', house.home, '--log-level', 'error']
    const server = house.start(args, { DRAGOMAN_OFFLINE_PACE: '0' })
    const url = await server.ready
    const { json } = await ask(url, { method: 'POST', path: '/v1/threads', body: { agent: 'assistant' } })
    const thread = String(json['id'])
    await fill(thread)
    // One reader before, so that all code is loaded and the rows are written.
    const { text } = await ask(url, { path: `/v1/threads/${thread}/messages?limit=100` })
    expect(text.length).toBeGreaterThan(30 * MB)
    return { url, pid: server.pid, thread }
  }

  it('make the server grow by less than 256 MB while they take nothing', async () => {
    const { url, pid, thread } = await start()
    for (const { what, path, body } of SURFACES) {
      const text = body ? JSON.stringify({ threadId: thread, runId: body }) : ''
      const request =
        `${body ? 'POST' : 'GET'} ${path(thread)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
      const sockets = Array.from({ length: READERS }, () => line(url))
      const growth = await growthDuring(pid, async () => {
        for (const socket of sockets) socket.pause().write(request)
        await isSettled(url)
        for (const socket of sockets) socket.destroy()
      })
      expect.soft(growth, what).toBeLessThan(MAX_GROWTH_MB)
      expect((await ask(url, { path: '/v1/agents' })).status).toBe(200)
    }
  }, 300_000)

  it('make the server grow by less than 256 MB over Socket.IO', async () => {
    const { url, pid } = await start()
    const follow = frame('text', `42["message",{"type":"follow_run","data":{"runId":"${LAST}"}}]`)
    const sockets: RawSocket[] = []
    while (sockets.length < READERS) sockets.push(await join(url))
    const growth = await growthDuring(pid, async () => {
      for (const { connection } of sockets) connection.pause().write(follow)
      await isSettled(url)
    })
    expect(growth).toBeLessThan(MAX_GROWTH_MB)
    for (const socket of sockets) socket[Symbol.dispose]()
    expect((await ask(url, { path: '/v1/agents' })).status).toBe(200)
  }, 120_000)
})
