import { expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { configured } from '../../../../test/support/configured.ts'
import { says, step } from '../../../../test/support/scripted-model.ts'
import { ask } from '../../../../test/support/wire.ts'
import { jobs } from '../../../jobs/src/index.ts'
import { life } from '../../src/index.ts'

const house = configured()

type Guest = (method: string, path: string, body?: Json) => ReturnType<typeof ask>

/** A server with an agent for guests and another one, which comes first. */
async function opened() {
  const { server, model } = await house.open({ requireToken: true, guests: true }, { agents: [jobs, life] })
  const { url } = server
  const become = (headers: Readonly<Record<string, string>> = {}) =>
    ask(url, { method: 'POST', path: '/auth/guest', headers })
  const guest = async (): Promise<Guest> => {
    const [set = ''] = (await become()).headers['set-cookie'] as string[]
    const headers = { cookie: set.split(';')[0] ?? '' }
    return (method, path, body) => ask(url, { method, path, headers, ...(body !== undefined && { body }) })
  }
  return { model, url, become, guest }
}

it('makes a guest of a caller without a token only if asked to', async () => {
  const { url, become } = await opened()

  for (const path of ['/v1/agents', '/v1/threads', '/v1/questions', '/v1/search?q=a']) {
    const response = await ask(url, { path })
    expect([path, response.status, response.headers['set-cookie']]).toEqual([path, 401, undefined])
  }
  const admitted = await become()

  expect([admitted.status, admitted.json]).toEqual([200, { user: expect.stringMatching(/^guest_/) }])
  expect(admitted.headers['set-cookie']).toEqual([expect.stringMatching(/^dragoman_guest=guest_/)])
})

it('does so for no page of another origin', async () => {
  const { become } = await opened()

  const foreign = await become({ origin: 'https://evil.example' })

  expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined])
})

it('says who the caller is, and whether there are guests', async () => {
  const { url, guest } = await opened()
  const ada = await guest()

  expect((await ask(url, { path: '/auth/verify' })).json).toMatchObject({ valid: false, guests: true })
  expect((await ada('GET', '/auth/verify')).json).toMatchObject({ valid: true, name: null, guest: true })
})

it.each([
  { guests: false, requireToken: true },
  { guests: true, requireToken: false },
])('refuses guests if the server admits none: %j', async (config) => {
  const { server } = await house.open(config, { agents: [life] })

  const response = await ask(server.url, { method: 'POST', path: '/auth/guest' })

  expect([response.status, response.headers['set-cookie']]).toEqual([403, undefined])
  expect((await ask(server.url, { path: '/auth/verify' })).json).not.toHaveProperty('guests')
})

it('shows a guest the agents that admit guests, and nothing of keys', async () => {
  const { guest } = await opened()
  const ada = await guest()

  const { json } = await ada('GET', '/v1/agents')

  expect(json['agents']).toMatchObject([{ id: 'life', notes: [], model: { reason: '' } }])
  expect((await ada('POST', '/v1/threads', {})).json).toMatchObject({ agent: 'life' })
  expect(await ada('POST', '/v1/threads', { agent: 'jobs' })).toMatchObject({
    status: 400,
    json: { error: 'agent: must be one of life.' },
  })
})

it('lets a guest talk, search and delete, without a choice of the model', async () => {
  const { guest, model } = await opened()
  const ada = await guest()
  const id = String((await ada('POST', '/v1/threads', {})).json['id'])
  model.play([step(says('Good evening.'))])

  const answer = await ada('POST', `/v1/threads/${id}/runs`, { message: 'Hello', stream: false })

  expect(answer.status).toBe(200)
  expect((await ada('GET', `/v1/threads/${id}/messages`)).json['messages']).toHaveLength(2)
  expect((await ada('GET', '/v1/search?q=evening')).json['messages']).toHaveLength(1)
  const named = { message: 'Hello', model: 'openai/gpt-5' }
  expect((await ada('POST', `/v1/threads/${id}/runs`, named)).json).toMatchObject({ code: 'forbidden' })
  expect((await ada('PATCH', `/v1/threads/${id}`, { model: 'openai/gpt-5' })).status).toBe(403)
  expect((await ada('DELETE', `/v1/threads/${id}`)).status).toBe(204)
  expect((await ada('GET', '/v1/threads')).json).toEqual({ threads: [] })
})

it('shows a guest nothing of another guest', async () => {
  const { guest, model } = await opened()
  const [ada, bob] = [await guest(), await guest()]
  const thread = String((await ada('POST', '/v1/threads', { name: 'evening' })).json['id'])
  model.play([step(says('Good evening.'))])
  await ada('POST', `/v1/threads/${thread}/runs`, { message: 'My secret', stream: false })
  const { json } = await ada('GET', `/v1/threads/${thread}/messages`)
  const run = (json['messages'] as { id: string }[])[1]?.id

  for (const [method, path, body] of [
    ['GET', `/v1/threads/${thread}`],
    ['GET', '/v1/threads/evening'],
    ['GET', `/v1/threads/${thread}/messages`],
    ['GET', `/v1/threads/${thread}/export`],
    ['PATCH', `/v1/threads/${thread}`, { title: 'Mine' }],
    ['POST', `/v1/threads/${thread}/runs`, { message: 'Go on' }],
    ['POST', `/v1/threads/${thread}/stop`],
    ['DELETE', `/v1/threads/${thread}`],
    ['GET', `/v1/runs/${run}`],
    ['GET', `/v1/runs/${run}/events`],
    ['POST', `/v1/runs/${run}/stop`],
    ['GET', `/v1/questions?thread=${thread}`],
  ] as const)
    expect([method, path, (await bob(method, path, body)).status]).toEqual([method, path, 404])
  expect((await ada('GET', `/v1/runs/${run}`)).status).toBe(200)
  expect((await bob('GET', '/v1/threads')).json).toEqual({ threads: [] })
  expect((await bob('GET', '/v1/search?q=secret')).json).toMatchObject({ threads: [], messages: [] })
  expect(JSON.stringify((await bob('GET', '/life/export')).json)).not.toContain('secret')
})

it('stores no files and takes no tools of guests', async () => {
  const { guest } = await opened()
  const ada = await guest()
  const { json } = await ada('POST', '/v1/threads', { agent: 'life' })
  const path = `/v1/threads/${(json as { id: string }).id}/runs`
  const picture = { type: 'file', url: 'data:image/png;base64,AAAA', mediaType: 'image/png' }

  const file = await ada('POST', path, { parts: [{ type: 'text', text: 'Look' }, picture] })
  const tools = await ada('POST', path, {
    message: 'Hi',
    tools: [{ name: 'mine', description: 'Mine.', inputSchema: { type: 'object' } }],
  })

  expect([file.status, tools.status]).toEqual([403, 403])
})

it('ends the visit of a guest who signs out', async () => {
  const { guest } = await opened()
  const ada = await guest()

  const { status, headers } = await ada('POST', '/auth/sign-out')

  expect(status).toBe(204)
  expect(headers['set-cookie']).toContainEqual(expect.stringMatching(/^dragoman_guest=;.*Max-Age=0/))
})
