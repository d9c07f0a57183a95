import { expect, it, onTestFinished } from 'vitest'

import { chatRequest } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>

it('accepts a final slash at each operation', async () => {
  const server = await openServer(scriptedModel([step(says('Hello'))]))
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Paths }
  const readable = Object.keys(paths).filter((path) => paths[path]?.['get'] && !path.includes('{'))
  const statusOf = async (path: string): Promise<number> => {
    const response = await fetch(server.url + path)
    await response.body?.cancel()
    return response.status
  }

  expect(readable.length).toBeGreaterThan(20)
  for (const path of readable)
    expect([path, await statusOf(`${path}/`)]).toEqual([path, await statusOf(path)])
  const response = await fetch(`${server.url}/jobs/chat/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(chatRequest('Hi')),
  })
  expect(await response.text()).toContain('Hello')
})

it.each(['/v1/threads', '/v1/runs', '/v1/questions', '/v1/search?q=x'])(
  'counts a limit out of its range as the nearer end, and ignores unknown fields: %s',
  async (path) => {
    const server = await openServer(scriptedModel())
    onTestFinished(() => server[Symbol.asyncDispose]())
    const url = `${server.url}${path}${path.includes('?') ? '&' : '?'}`

    for (const limit of ['100000', '0', '-5', '']) {
      const response = await fetch(`${url}limit=${limit}&colour=blue`)
      expect([limit, response.status, await response.text()]).toEqual([limit, 200, expect.anything()])
    }
    expect((await fetch(`${url}limit=many`)).status).toBe(400)
  },
)

it('gives one for a limit below one', async () => {
  const server = await openServer(scriptedModel())
  onTestFinished(() => server[Symbol.asyncDispose]())
  for (const id of ['a', 'b'])
    await fetch(`${server.url}/v1/threads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: id }),
    })

  const list = await fetch(`${server.url}/v1/threads?limit=0`)

  expect(await list.json()).toMatchObject({ threads: [{ name: 'b' }] })
})
