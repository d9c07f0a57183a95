import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { chatRequest } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { ask } from '../../../../test/support/wire.ts'
import { assistant } from '../../src/index.ts'

const PAGES = 40
const MAX_AT_ONCE = 4

describe('a user who has very many pages read', () => {
  const model = scriptedModel()
  let server: TestServer
  let site: Server
  /** Requests that are not answered yet, by path. */
  let open: { readonly path: string; readonly response: ServerResponse }[]
  let most: number

  const read = async (user: string, path: string, count: number): Promise<string> => {
    const { port } = site.address() as AddressInfo
    const url = `http://127.0.0.1:${port}${path}`
    const all = Array.from({ length: count }, (_, at) => calls(`${user}-${at}`, 'fetch_page', { url }))
    model.play([step(...all), step(says('Read.'))])
    const request = { method: 'POST', path: '/assistant/chat', body: chatRequest('Read this.') }
    const { status, text } = await ask(server.url, { ...request, headers: bearer(server.token(user)) })
    expect(status).toBe(200)
    return text
  }
  const openOf = (path: string) => open.filter((each) => each.path === path)
  const answer = (path: string): void => {
    for (const { response } of openOf(path)) response.setHeader('content-type', 'text/plain').end('A page.')
    open = open.filter((each) => each.path !== path)
  }

  beforeAll(async () => {
    site = createServer(({ url: path = '' }, response) => {
      open.push({ path, response })
      most = Math.max(most, openOf(path).length)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    server = await openServer({
      models: model.models,
      agents: [assistant],
      users: ['ada', 'bob'],
      configFile: { privateHosts: ['127.0.0.1'] },
    })
  })
  beforeEach(() => {
    open = []
    most = 0
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  })

  it('gets few at once, and all in the end, while others get theirs', async () => {
    const adas = read('ada', '/ada', PAGES)
    await expect.poll(() => openOf('/ada').length).toBe(MAX_AT_ONCE)

    const bobs = read('bob', '/bob', 1)
    await expect.poll(() => openOf('/bob').length).toBe(1)
    answer('/bob')
    expect(await bobs).toContain('A page.')
    expect(openOf('/ada')).toHaveLength(MAX_AT_ONCE)

    const answering = setInterval(() => answer('/ada'), 1)
    const text = await adas.finally(() => clearInterval(answering))
    expect(text.match(/"type":"tool-output-available"/g)).toHaveLength(PAGES)
    expect(most).toBe(MAX_AT_ONCE)
  })

  it('gives back the places of what was stopped', async () => {
    const headers = bearer(server.token('ada'))
    for (let round = 0; round < 2; round += 1) {
      const reading = read('ada', '/stopped', PAGES)
      await expect.poll(() => openOf('/stopped').length).toBe(MAX_AT_ONCE)
      const { json } = await ask(server.url, { path: '/v1/runs?limit=1', headers })
      const [{ id }] = json['runs'] as [{ id: string }]
      await ask(server.url, { method: 'POST', path: `/v1/runs/${id}/stop`, headers })
      await reading
      open = []
    }
  })
})
