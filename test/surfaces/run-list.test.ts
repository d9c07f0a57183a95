import { expect, it } from 'vitest'

import { client } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

type Page = {
  readonly runs: readonly { readonly id: string; readonly status: string }[]
  readonly before?: string
}

it('lists the runs of a user, the latest first, in pages', async () => {
  const { models } = scriptedModel([step(says('One.')), step(says('Two.')), step(says('Three.'))])
  await using server = await openServer({ models })
  const { json, post } = client(server)
  const open = async () => String((await json('POST', '/v1/threads', {})).body['id'])
  const [first, second] = [await open(), await open()]
  const runIds: string[] = []
  for (const id of [first, second, first]) {
    const response = await post(`/v1/threads/${id}/runs`, { message: 'hello' })
    await response.text()
    runIds.unshift(String(response.headers.get('x-run-id')))
  }
  const list = async (query: string) => (await json('GET', `/v1/runs?${query}`)).body as Page
  // A list waits for the newest runs for a moment only.
  await expect.poll(async () => (await list('')).runs.length).toBe(3)

  const page = await list('limit=2')
  const rest = await list(`limit=1&before=${page.before}`)
  const ofThread = await list(`thread=${first}`)

  expect([...page.runs, ...rest.runs].map(({ id }) => id)).toEqual(runIds)
  expect(page.runs[0]?.status).toBe('finished')
  expect(ofThread).toMatchObject({ runs: [{ id: runIds[0] }, { id: runIds[2] }] })
  expect(ofThread).not.toHaveProperty('before')
  expect((await json('GET', '/v1/runs?before=nonsense')).status).toBe(400)
  expect((await json('GET', '/v1/runs?thread=none')).status).toBe(404)
})
