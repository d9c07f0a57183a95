import { expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { bearer } from '../support/users.ts'
import { useServer } from '../support/use-server.ts'
import { ask } from '../support/wire.ts'

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
