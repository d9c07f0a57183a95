import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isOnPostgres } from '../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { gate, type Gate } from '../support/gate.ts'
import { client, chatRequest } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { line } from '../support/wire.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const WARM = 100
const COMERS = 500
/** What the server and the test's own waiting open and close meanwhile. */
const SLACK = 10
/** To PostgreSQL, which are opened when they are needed. */
const CONNECTIONS = isOnPostgres ? 9 : 0
/** Far less than leaked sockets, feeds or requests would add, and more than what the JavaScript engine adds itself. */
const BYTES_EACH = 4000

describe('hundreds of disconnected readers', () => {
  let server: TestServer
  let hold: Gate
  let run: string
  beforeEach(async () => {
    hold = gate()
    const { models } = scriptedModel([step(says('Half', hold, ' done.'))])
    server = await openServer({ models })
    const response = await client(server).post('/jobs/chat', chatRequest('go'))
    await response.body?.cancel()
    run = String(response.headers.get('x-run-id'))
    await hold.reached
  })
  afterEach(async () => {
    hold.open()
    await server[Symbol.asyncDispose]()
  })

  /** One who asks in a dialect and goes: before the answer, at its first bytes, or with its own side closed. */
  const comes = async (n: number): Promise<void> => {
    const socket = line(server.url)
    const dialect = ['native', 'ag-ui', 'ui-message-stream', 'data-stream'][n % 4]
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    const first = new Promise<void>((resolve) => socket.once('data', () => resolve()))
    socket.write(`GET /v1/runs/${run}/events?protocol=${dialect} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    if (n % 3 > 0) await first
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    if (n % 3 === 2) socket.end()
    else socket.resetAndDestroy()
    await closed
  }
  const come = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 20)
      await Promise.all(Array.from({ length: 20 }, (_none, at) => comes(n + at)))
  }
  const open = (): string[] =>
    process.getActiveResourcesInfo().filter((each) => each === 'TCPSocketWrap' || each === 'Timeout')
  const heap = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }

  it('leak no memory, sockets or timers', async () => {
    const before = open().length
    await come(WARM)
    const after = before + SLACK + CONNECTIONS
    await expect.poll(() => open().length, { timeout: 10_000 }).toBeLessThan(after)
    const held = heap()

    await come(COMERS)

    await expect.poll(() => open().length, { timeout: 10_000 }).toBeLessThan(after)
    await expect.poll(() => (heap() - held) / COMERS, { timeout: 10_000 }).toBeLessThan(BYTES_EACH)
    const along = await client(server).get(`/v1/runs/${run}/events`)
    hold.open()
    expect(await along.text()).toContain('run.finished')
  }, 60_000)
})
