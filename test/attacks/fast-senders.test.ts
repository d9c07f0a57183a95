import { expect, it, onTestFinished } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { bearer } from '../support/users.ts'
import { useServer } from '../support/use-server.ts'
import { ask, exchange, line } from '../support/wire.ts'

const MIB = 1024 * 1024

const server = useServer({
  models: scriptedModel().models,
  users: ['ada', 'bob'],
  limits: { bytesPerSecond: MIB },
  flags: ['--require-token'],
})

const upload = async (user: string, bytes: Buffer) => {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], 'a.bin'))
  const body = new Uint8Array(await new Response(form).arrayBuffer())
  const type = new TextDecoder().decode(body).slice(2, body.indexOf(13))
  const headers = { ...bearer(server.token(user)), 'content-type': `multipart/form-data; boundary=${type}` }
  return ask(server.url, { method: 'POST', path: '/v1/files', headers, body })
}

it('reads what a user sends fast later, whole, and what others send at once', async () => {
  const file = Buffer.alloc(3 * MIB, '0123456789')
  const order: string[] = []
  const slow = [file, file.subarray(1)].map(async (bytes) => {
    const { status, json } = await upload('ada', bytes)
    order.push('ada')
    expect(status).toBe(201)
    const stored = await fetch(server.url + String(json['url']), { headers: bearer(server.token('ada')) })
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true)
  })
  expect((await upload('bob', file.subarray(0, MIB))).status).toBe(201)
  order.push('bob')
  await Promise.all(slow)

  expect(order).toEqual(['bob', 'ada', 'ada'])
})

const chunked = (path: string, user: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token(user)}\r\n` +
  'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'

it('reads a body in pieces of a byte as it was sent', async () => {
  const title = Array.from({ length: 60 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')
  const body = Buffer.from(JSON.stringify({ agent: 'jobs', title }))
  const pieces = [...body].map((byte) =>
    Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
  )

  const answer = await exchange(server.url, chunked('/v1/threads', 'bob'), ...pieces, '0\r\n\r\n')
  expect(answer).toContain(' 201 ')
  expect(answer).toContain(title)
})

it('reads no more tiny pieces than their user may send, and serves others meanwhile', async () => {
  const flood = line(server.url)
  onTestFinished(() => void flood.destroy())
  flood.write(chunked('/v1/files', 'ada'))
  for (let count = 0; count < 40; count++) flood.write('1\r\na\r\n'.repeat(100_000))
  const threads = { path: '/v1/threads', headers: bearer(server.token('bob')) }
  for (let count = 0; count < 20; count++) expect((await ask(server.url, threads)).status).toBe(200)

  expect(flood.destroyed || flood.writableLength > 0).toBe(true)
})
