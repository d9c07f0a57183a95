import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { codingServer } from '../support/coding.ts'
import { says, step } from '../../../../test/support/scripted-model.ts'
import { bearer } from '../../../../test/support/users.ts'
import { ask, rowsOfEveryTable } from '../../../../test/support/wire.ts'

describe('a caller who starts too many coding runs', () => {
  it('is refused on both surfaces before a write, and may still read and stop', async () => {
    const { server, model, root } = await codingServer({
      users: ['ada', 'bob'],
      isOnDisk: true,
      flags: ['--rate-limit', '2'],
    })
    model.play(Array.from({ length: 4 }, () => step(says('Hi.'))))
    const as = (user: string, path: string, body: Json) =>
      ask(server.url, { method: 'POST', path, headers: bearer(server.token(user)), body })
    const alone = { message: 'hello', workDir: root }
    await as('ada', '/api/agent-chat', alone)
    await as('ada', '/api/chat/stream', { sessionId: 's', messageId: 'm', message: 'hello' })
    const before = await rowsOfEveryTable(server.home)

    for (const [path, body] of [
      ['/api/agent-chat', alone],
      ['/api/agent-chat', { ...alone, stream: false }],
      ['/api/chat/stream', { message: 'again' }],
      ['/api/chat/stream', { sessionId: 's', message: 'again' }],
      ['/api/chat/stream', { sessionId: 'new', messageId: 'm', message: 'hello' }],
    ] as const)
      expect(await as('ada', path, body)).toMatchObject({
        status: 429,
        json: { code: 'rate-limited', retryAfter: expect.any(Number) },
      })

    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect(model.prompts).toHaveLength(2)
    const again = { sessionId: 's', messageId: 'm', message: 'hello', responseMode: 'full' }
    expect(await as('ada', '/api/chat/stream', again)).toMatchObject({ status: 200 })
    expect(await as('ada', '/api/chat/cancel', { sessionId: 's' })).toMatchObject({ status: 200 })
    expect(await as('ada', '/api/session/get', { sessionId: 'new' })).toMatchObject({ status: 404 })
    expect(await as('bob', '/api/agent-chat', alone)).toMatchObject({ status: 200 })
  })
})

describe('a caller whose runs outside of conversations are large', () => {
  it('is refused once they fill the storage, before a write, until they are removed', async () => {
    const { server, model, root } = await codingServer({
      users: ['ada', 'bob'],
      isOnDisk: true,
      configFile: { limits: { storageBytes: 400_000 } },
    })
    model.play(Array.from({ length: 4 }, () => step(says('Hi.'))))
    const history = [
      { role: 'user', content: 'x'.repeat(150_000) },
      { role: 'assistant', content: 'yes' },
    ]
    const as = (user: string) =>
      ask(server.url, {
        method: 'POST',
        path: '/api/agent-chat',
        headers: bearer(server.token(user)),
        body: { message: 'hello', workDir: root, history },
      })
    expect(await as('ada')).toMatchObject({ status: 200 })
    expect(await as('ada')).toMatchObject({ status: 200 })

    const before = await rowsOfEveryTable(server.home)
    expect(await as('ada')).toMatchObject({ status: 413, json: { code: 'storage-full' } })
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect(await as('bob')).toMatchObject({ status: 200 })
  })
})
