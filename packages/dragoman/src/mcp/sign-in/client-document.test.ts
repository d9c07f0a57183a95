import { expect, it } from 'vitest'

import { fakeWeb } from '../../safe-fetch/fake-web.fixture.ts'
import { clientDocument, findClientDocument } from './client-document.ts'

/** The document that is found for a page, where the host of a request answers with that of this host. */
async function found(redirectUrl: string, hostOf = (host: string) => host) {
  await using web = await fakeWeb((address, response) => {
    const [host = '', ...path] = address.split('/')
    if (path.join('/') !== 'v1/mcp/client.json') return response.writeHead(404).end()
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(clientDocument(hostOf(host))))
  })
  const url = await findClientDocument(redirectUrl, { safeFetch: web.safeFetch, userId: 'ada' })
  return { url, requests: web.requests }
}

it('finds the document of the host of the page that a user comes back to', async () => {
  expect(await found('https://chat.example/console/account')).toEqual({
    url: 'https://chat.example/v1/mcp/client.json',
    requests: ['chat.example/v1/mcp/client.json'],
  })
})

it.each([
  ['of another page', 'https://chat.example/back', undefined],
  ['of another host', 'https://chat.example/console/account', () => 'inner.example'],
  ['without TLS', 'http://chat.example/console/account', undefined],
])('finds none %s', async (_, redirectUrl, hostOf) => {
  expect((await found(redirectUrl, hostOf)).url).toBeUndefined()
})
