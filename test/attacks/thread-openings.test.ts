import { expect, it, onTestFinished } from 'vitest'

import { client } from '../support/http.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'

it('limits new threads per user to the rate limit of runs', async () => {
  const flags = ['--require-token', '--rate-limit', '3']
  const server = await openServer({ models: scriptedModel().models, flags, users: ['ada', 'bob'] })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const open = (user: string) => client(server).post('/v1/threads', {}, bearer(server.token(user)))
  const codes: number[] = []
  for (let each = 0; each < 5; each++) codes.push((await open('ada')).status)

  expect(codes).toEqual([201, 201, 201, 429, 429])
  const refused = await open('ada')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'rate-limited' })
  expect((await open('bob')).status).toBe(201)
})
