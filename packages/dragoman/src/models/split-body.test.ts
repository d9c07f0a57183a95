import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { countTurns } from '../../../../test/support/count-turns.ts'
import { fetchWithoutRedirects } from './provider-api.ts'
import { splitBody } from './split-body.ts'

it('makes bytes of a large body in many turns of the event loop', async () => {
  const text = '😀 a b 文字 '.repeat(2_000_000)
  const split = splitBody(text)

  expect(await countTurns(split)).toBeGreaterThan(4)
  expect(await ((await split) as Blob).text()).toBe(text)
})

it('leaves a small body as it is', async () => {
  expect(await splitBody('{}')).toBe('{}')
  expect(await splitBody(undefined)).toBeUndefined()
})

it('sends a large body with the headers of a small one', async () => {
  const requests: unknown[] = []
  const receive = async (request: IncomingMessage): Promise<void> => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    const { 'content-type': type, 'content-length': length, 'transfer-encoding': coding } = request.headers
    requests.push({ type, coding, isWhole: Number(length) === Buffer.byteLength(body), end: body.slice(-4) })
  }
  const server = createServer((request, response) => {
    void receive(request).then(() => response.end())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo

  for (const text of ['a 文字', 'a 文字'.repeat(200_000)]) {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    await fetchWithoutRedirects(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: text })
  }

  const right = { type: 'application/json', coding: undefined, isWhole: true, end: 'a 文字' }
  expect(requests).toEqual([right, right])
})
