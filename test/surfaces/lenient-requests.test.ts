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

it.each(['/v1/threads', '/v1/runs'])(
  'counts a limit that is too large as the largest, and ignores unknown fields of a query: %s',
  async (path) => {
    const server = await openServer(scriptedModel())
    onTestFinished(() => server[Symbol.asyncDispose]())

    const response = await fetch(`${server.url}${path}?limit=100000&colour=blue`)

    expect(response.status, await response.text()).toBe(200)
  },
)
