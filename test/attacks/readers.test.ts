import type { Socket } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { gate, type Gate } from '../support/gate.ts'
import { client, eveRequest } from '../support/http.ts'
import { says, scriptedModel, step, type ScriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { ask, exchange, line, statuses } from '../support/wire.ts'

const READERS = 8

let model: ScriptedModel
let server: TestServer
beforeEach(async () => {
  model = scriptedModel()
  server = await openServer({
    models: model.models,
    env: { DRAGOMAN_READERS: String(READERS) },
    users: ['ada'],
  })
})
afterEach(() => server[Symbol.asyncDispose]())

const path = (run: string): string => `/v1/runs/${run}/events`
const get = (run: string, method = 'GET', more = ''): string =>
  `${method} ${path(run)} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`

/** A run that has said `words` and stands at the gate. */
async function held(words: string): Promise<{ run: string; hold: Gate }> {
  const hold = gate()
  model.play([step(says(words, hold, ' done.'))])
  const heard = await client(server).post('/jobs/chat', eveRequest('go'))
  await heard.body?.cancel()
  await hold.reached
  return { run: String(heard.headers.get('x-run-id')), hold }
}

/** How many more may read: places are given back a moment after a socket has closed. */
async function allPlacesAreFree(run: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const sockets = Array.from({ length: READERS }, () => line(server.url))
        const heads = await Promise.all(sockets.map((socket) => firstOf(socket, get(run))))
        for (const socket of sockets) socket.destroy()
        return heads.map((head) => head.slice(9, 12))
      },
      { interval: 20 },
    )
    .toEqual(Array.from({ length: READERS }, () => '200'))
}

/** The first bytes of an answer. */
function firstOf(socket: Socket, request: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('data', (bytes) => resolve(String(bytes)))
  socket.write(request)
  return promise
}

describe('a reader who goes', () => {
  it('before the first byte leaves nothing behind', async () => {
    const { run, hold } = await held('Half')
    for (let n = 0; n < 3 * READERS; n++) {
      const socket = line(server.url)
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      await new Promise<void>((resolve) => socket.write(get(run), () => resolve()))
      socket.resetAndDestroy()
    }
    await allPlacesAreFree(run)
    hold.open()
  })
})
