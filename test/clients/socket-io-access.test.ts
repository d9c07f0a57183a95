import { describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import {
  hasToolCalls,
  callsIn,
  isRunEnd,
  runAgent,
  socketClient,
  textIn,
  toolResult,
} from '../support/socket-client.ts'
import { withTokens } from '../support/users.ts'
import { ask, exchange, statuses } from '../support/wire.ts'

const APP = 'https://app.example'
const page = { name: 'addTodo', description: 'Adds a todo', parameters: { type: 'object' } }

describe('access over Socket.IO', () => {
  const model = scriptedModel()
  const server = useServer({
    ...model,
    isOnDisk: true,
    users: ['ada', 'bob'],
    flags: ['--require-token', '--allow-origin', APP, '--rate-limit', '40'],
  })

  const refused = (options: Parameters<typeof socketClient>[1]): Promise<Error> => {
    const { socket } = socketClient(server.url, { reconnection: false, ...options })
    return new Promise((resolve) => {
      socket.once('connect_error', (error) => resolve(error))
      socket.once('connect', () => resolve(new Error('It was let in.')))
    }).finally(() => void socket.disconnect()) as Promise<Error>
  }

  it('requires a token, in any of its places, and explains a rejection', async () => {
    const auth = { token: server.token('ada') }
    expect(await refused({})).toMatchObject({
      message: expect.stringContaining('A token is needed'),
      data: { code: 'unauthorized' },
    })
    expect(await refused({ auth: { token: 'dgm_wrong' } })).toMatchObject({ data: { code: 'unauthorized' } })
    expect(await refused({ auth: { token: 7 } })).toMatchObject({ data: { code: 'unauthorized' } })
    expect(await refused({ query: { token: 'dgm_wrong' } })).toMatchObject({ data: { code: 'unauthorized' } })
    expect(await refused({ query: { token: '' } })).toMatchObject({ data: { code: 'unauthorized' } })
    expect(await refused({ auth: { token: 'dgm_wrong' }, query: auth })).toMatchObject({
      data: { code: 'unauthorized' },
    })
    // A page of a foreign origin does not come as far as to say who it is.
    for (const transports of [['websocket'], ['polling']])
      expect(
        await refused({ auth, transports, extraHeaders: { origin: 'https://evil.example' } }),
      ).toMatchObject({ type: 'TransportError' })
    for (const options of [
      { auth },
      { auth, transports: ['polling'] },
      { auth, extraHeaders: { origin: APP } },
      { query: auth },
      { query: auth, transports: ['polling', 'websocket'], withCredentials: true },
      { query: auth, extraHeaders: { origin: APP } },
      { extraHeaders: { authorization: `Bearer ${auth.token}` } },
      { extraHeaders: { 'x-eve-token': auth.token } },
    ])
      expect((await refused(options)).message).toBe('It was let in.')
  })

  it('accepts a token in the query and closes the connection at the end', async () => {
    model.play([step(says('Good day.'))])
    const { secret } = await withTokens(server.home, (all) => all.create({ name: 'page', userId: 'ada' }))
    using client = socketClient(server.url, { query: { token: secret } })
    expect(await client.ask('run_agent', runAgent('by-query', 'r-query', 'Hello'))).toMatchObject({
      ok: true,
    })
    await client.until(isRunEnd('r-query'))
    const headers = { authorization: `Bearer ${server.token('ada')}` }
    expect((await fetch(`${server.url}/v1/threads/by-query`, { headers })).status).toBe(200)
    expect((await fetch(`${server.url}/v1/threads/by-query?token=${secret}`)).status).toBe(401)

    const disconnected = new Promise((resolve) => client.socket.once('disconnect', resolve))
    await withTokens(server.home, (all) => all.revoke('page'))
    expect(await disconnected).toBe('io server disconnect')
  })

  it('sends CORS headers to allowed origins', async () => {
    const path = '/socket.io/?EIO=4&transport=polling'
    const own = await ask(server.url, { path, headers: { origin: APP } })
    const other = await ask(server.url, { path, headers: { origin: 'https://evil.example' } })
    const before = await ask(server.url, { method: 'OPTIONS', path, headers: { origin: APP } })
    expect(other).toMatchObject({ status: 403, json: { code: 'forbidden' } })

    expect(own.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-credentials': 'true',
    })
    expect(other.headers).not.toHaveProperty('access-control-allow-origin')
    expect(before.status).toBe(204)
  })

  it('leaves all other upgrades to HTTP', async () => {
    const head =
      'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n'

    expect(statuses(await exchange(server.url, head))).toEqual([200])
  })

  it('hides other users’ runs', async () => {
    const hold = gate()
    model.play([step(calls('c1', 'addTodo', {})), step(says('Mine', hold, '.'))])
    using ada = socketClient(server.url, { auth: { token: server.token('ada') } })
    using bob = socketClient(server.url, { auth: { token: server.token('bob') } })
    const { runId } = await ada.ask('run_agent', runAgent('private', 'r1', 'Go.', { tools: [page] }))
    await ada.until(() => hasToolCalls('r1')(ada))
    const [call] = callsIn(ada.of('r1'))

    for (const [type, data] of [
      ['follow_run', { runId: String(runId) }],
      ['follow_run', { threadId: 'private' }],
      ['tool_result', toolResult(call?.id ?? '', '{}')],
    ] as const)
      expect(await bob.ask(type, data)).toMatchObject({ code: 'not-found' })
    expect(await bob.ask('abort_run', { runId: String(runId) })).toEqual({ ok: true, stopped: false })
    using comesBack = socketClient(server.url, {
      auth: { token: server.token('bob'), pid: 'abc', offset: `${String(runId)}:0` },
    })
    await comesBack.ask('abort_run', {})
    expect(comesBack.events).toEqual([])

    await ada.ask('tool_result', toolResult(call?.id ?? '', '{}'))
    hold.open()
    await ada.until(isRunEnd('r1'))
    expect(textIn(ada.of('r1'))).toBe('Mine.')
  })

  it('closes when a token is revoked', async () => {
    const secret = await withTokens(server.home, (all) => all.create({ name: 'lent', userId: 'ada' }))
    using client = socketClient(server.url, { auth: { token: secret.secret } })
    await new Promise((resolve) => client.socket.once('connect', () => resolve(undefined)))
    const disconnected = new Promise((resolve) => client.socket.once('disconnect', resolve))
    await withTokens(server.home, (all) => all.revoke('lent'))

    expect(await disconnected).toBe('io server disconnect')
  })

  it('reports an invalid packet and continues', async () => {
    using client = socketClient(server.url, { auth: { token: server.token('ada') } })
    const emit = async (name: string, ...words: unknown[]): Promise<string> => {
      const before = client.events.length
      client.socket.emit(name, ...words)
      const answer = await client.until((each) => client.events.indexOf(each) >= before)
      expect(answer.event).toMatchObject({ type: 'RUN_ERROR', error: answer.event['message'] })
      return String(answer.event['message'])
    }
    const good = runAgent('t', 'r', 'Hello')
    let deep: Json = []
    for (let level = 0; level < 300; level++) deep = [deep]

    expect(await emit('message')).toMatch(/^type: /)
    expect(await emit('message', 'words')).toMatch(/object/)
    expect(await emit('message', { type: 'run' })).toBe(
      'type: must be one of run_agent, tool_result, abort_run, follow_run, message_feedback.',
    )
    expect(await emit('other', {})).toBe('There is no event other: send message.')
    expect(await emit('message', { type: 'run_agent', data: deep })).toMatch(/nested/)
    expect(await emit('message', { type: 'run_agent', data: {} })).toMatch(/^threadId/)
    expect(await emit('message', { type: 'run_agent', data: { ...good, messages: 'none' } })).toMatch(
      /^messages/,
    )
    expect(
      await emit('message', { type: 'run_agent', data: { ...good, forwardedProps: { agent: 'x' } } }),
    ).toBe('forwardedProps.agent: there is no agent x; there are jobs.')
    expect(await emit('message', { type: 'tool_result', data: { content: '{}' } })).toMatch(/^toolCallId/)
    expect(await emit('message', { type: 'abort_run', data: { runId: 7 } })).toMatch(/^runId/)
    expect(await emit('message', { type: 'follow_run', data: {} })).toMatch(/runId or a threadId/)
    expect(
      await client.ask('message_feedback', { messageId: 'm', traceId: 't', feedback: 'upvote' }),
    ).toEqual({
      ok: true,
    })
    expect(
      await emit('message', { type: 'message_feedback', data: { messageId: 'm', feedback: 1 } }),
    ).toMatch(/^feedback: must be upvote, downvote or null/)
  })

  it('accepts messages of at most 20 MB', async () => {
    model.play([step(says('Much.'))])
    using client = socketClient(server.url, { auth: { token: server.token('ada') } })
    const much = 'x'.repeat(19 * 1024 * 1024)
    expect(await client.ask('message_feedback', { messageId: 'm', much })).toEqual({ ok: true })

    const disconnected = new Promise((resolve) => client.socket.once('disconnect', resolve))
    client.send('message_feedback', { messageId: 'm', much: `${much}${much.slice(0, 2 * 1024 * 1024)}` })
    expect(await disconnected).toMatch(/transport/)
    await client.run('after', 'r-after', 'Hello')
  })

  it('reports when the next run may start', async () => {
    model.play(Array.from({ length: 60 }, () => step(says('Yes.'))))
    using client = socketClient(server.url, { auth: { token: server.token('bob') } })
    for (let run = 0; run < 41; run++)
      client.send('run_agent', runAgent(`many-${run}`, `many-${run}`, 'Hello'))
    const { event } = await client.until(({ event: { code } }) => code === 'rate-limited')

    expect(event['message']).toMatch(/^Rate limit exceeded\. Please try again in \d+ seconds\.$/)
  })
})
