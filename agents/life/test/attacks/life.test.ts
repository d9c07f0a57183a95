import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../test/support/cpu-time.ts'
import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { queryHome } from '../../../../test/support/home-storage.ts'
import { client } from '../../../../test/support/http.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { life } from '../../src/index.ts'

let server: TestServer
beforeEach(async () => {
  server = await openServer({
    models: createModels({ offlinePace: 0, env: {} }),
    agents: [life],
    isOnDisk: true,
  })
})
afterEach(async () => server[Symbol.asyncDispose]())

const request = (method: string, path: string, body: Json | string) =>
  client(server)
    .send(method, path, body)
    .then(async (response) => ({
      status: response.status,
      body: JSON.parse((await response.text()) || '{}') as Record<string, unknown>,
    }))
const birth = { birthDate: '1990-05-15', gender: 'male' }

describe('a place of birth', () => {
  it.each(['族', '土家族', '自治州', '市', '朝阳区', '中国', '成都'])(
    'that begins with a town and goes on with nothing but %s is read at once',
    async (word) => {
      const birthPlace = `成都${word.repeat(98)}`.slice(0, 100)
      const askOnce = async () =>
        expect(await request('PUT', '/life/profile/birth', { ...birth, birthPlace })).toMatchObject({
          status: 400,
        })

      expect(await cpuMsOf(askOnce)).toBeLessThan(4000)
    },
  )

  it('may have the rank of peoples behind it', async () => {
    const { body } = await request('PUT', '/life/profile/birth', {
      ...birth,
      birthPlace: '恩施土家族苗族自治州',
    })

    expect(body).toMatchObject({ profile: { birth: { place: { zone: 'Asia/Shanghai' } } } })
  })
})

describe('a body', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  it.each([
    ['PATCH', '/life/profile', `{"told":${deep}}`],
    ['PUT', '/life/profile/birth', `{"dayBoundary":${deep}}`],
    ['POST', '/life/memories', `{"content":${deep}}`],
    ['POST', '/api/v1/fortune/greeting', `{"profile":{"a":${deep}}}`],
    ['POST', '/api/v1/chat/v5/stream', `{"message":"hi","form":{"a":${deep}}}`],
  ])('%s %s that is nested too deep is refused', async (method, path, body) => {
    expect(await request(method, path, body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('nested deeper than 200 levels') },
    })
  })
})

it('greets whoever changes their name all day, and keeps a bounded number of those greetings', async () => {
  const { get, send } = client(server)
  for (let at = 0; at < 60; at++) {
    await send('PATCH', '/life/profile', { displayName: `Ada ${at}` })
    expect((await get('/api/fortune/greeting')).status).toBe(200)
  }

  expect(await queryHome(server.home, sql`SELECT user_id FROM life_greetings`)).toHaveLength(50)
})
