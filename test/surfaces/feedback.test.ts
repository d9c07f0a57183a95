import { expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { client } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

it('is stored of an answer, and of nothing else', async () => {
  const model = scriptedModel([step(says('first'))])
  await using server = await openServer({ models: model.models, isOnDisk: true })
  const send = (method: string, path: string, body?: Json) => client(server).json(method, path, body)
  const thread = `/v1/threads/${String((await send('POST', '/v1/threads', {})).body['id'])}`
  await (await client(server).post(`${thread}/runs`, { message: 'one' })).text()
  const messages = async () =>
    (await send('GET', `${thread}/messages`)).body['messages'] as { id: string; feedback?: string }[]
  const stored = async () => (await messages()).map(({ feedback }) => feedback)
  const give = async (message: string | undefined, feedback: Json) =>
    (await send('PUT', `${thread}/messages/${message}/feedback`, { feedback })).status
  const [question, answer] = await messages()

  expect(await give(answer?.id, 'down')).toBe(204)
  expect(await stored()).toEqual([undefined, 'down'])
  expect(await give(question?.id, 'up')).toBe(404)
  expect(await give('msg_unknown', 'up')).toBe(404)
  expect(await give(answer?.id, 'great')).toBe(400)
  expect(await give(answer?.id, null)).toBe(204)
  expect(await stored()).toEqual([undefined, undefined])
})
