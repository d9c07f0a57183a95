import { describe, expect, it, vi } from 'vitest'

import { oauthNotes } from '../../../packages/dragoman/src/mcp/oauth-server.fixture.ts'
import { findFreePort } from '../../../test/support/find-free-port.ts'
import { run } from '../../../test/support/process.ts'
import { openServer } from '../../../test/support/server.ts'

const env = { PATH: process.env['PATH'] ?? '' }

describe('dragoman mcp', () => {
  // A busy machine takes long to start five commands.
  it('signs a user in with a browser, and out', { timeout: 180_000 }, async () => {
    await using notes = await oauthNotes()
    await using server = await openServer({ agent: { mcp: { notes: { url: notes.url } } } })
    const say = (...args: string[]) => run(['mcp', ...args, '--url', server.url], env)
    const isSignedIn = async () => JSON.parse((await say('list', '--json').ended).stdout) as unknown
    const list = (signedIn: boolean) => ({
      servers: [{ agent: 'jobs', name: 'notes', url: new URL(notes.url).origin, signedIn }],
    })
    expect(await isSignedIn()).toEqual(list(false))

    const signIn = say('sign-in', 'notes', '--port', String(await findFreePort()))
    const address = await vi.waitFor(() => {
      const [found] = /http\S+/.exec(signIn.output.stdout) ?? []
      if (found === undefined) throw new Error(`There is no address yet. ${signIn.output.stderr}`)
      return found
    }, 60_000)
    const page = await fetch(address)

    expect(await page.text()).toContain('You can close this page.')
    expect(await signIn.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('You are signed in at notes.'),
    })
    expect(await isSignedIn()).toEqual(list(true))
    expect(await say('sign-out', 'notes').ended).toMatchObject({ code: 0 })
    expect(await isSignedIn()).toEqual(list(false))
    expect(await say('sign-in', 'other').ended).toMatchObject({
      code: 1,
      stderr: 'dragoman: There is no MCP server other at which you can sign in.\n',
    })
  })

  it('keeps the sign-ins of users apart', async () => {
    await using notes = await oauthNotes()
    const agent = { mcp: { notes: { url: notes.url } } }
    await using server = await openServer({
      agent,
      users: ['ada', 'bob'],
    })
    const ask = async (path: string, user: string, body?: object) =>
      fetch(`${server.url}/v1/mcp/${path}`, {
        headers: { authorization: `Bearer ${server.token(user)}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
    const begin = { redirectUrl: 'https://chat.example/back' }
    const { url } = (await (await ask('servers/jobs/notes/sign-in', 'ada', begin)).json()) as { url: string }
    const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
    expect(back).toMatch(/^https:\/\/chat\.example\/back\?/)

    const { host } = new URL(server.url)
    // Authorization servers have no token.
    expect(await (await fetch(`${server.url}/v1/mcp/client.json`)).json()).toMatchObject({
      client_id: `https://${host}/v1/mcp/client.json`,
      redirect_uris: [`https://${host}/console/account`],
    })
    expect((await ask('sign-ins', 'bob', { url: back })).status).toBe(400)
    expect(await (await ask('sign-ins', 'ada', { url: back })).json()).toEqual({
      agent: 'jobs',
      name: 'notes',
    })

    expect(await (await ask('servers', 'ada')).json()).toMatchObject({
      servers: [{ signedIn: true, url: expect.stringMatching(/^https?:\/\/[^/]+$/) }],
    })
    expect(await (await ask('servers', 'bob')).json()).toMatchObject({ servers: [{ signedIn: false }] })
    expect((await ask('servers/jobs/other/sign-in', 'ada', begin)).status).toBe(404)
    expect((await ask('servers/jobs/notes/sign-in', 'ada', { redirectUrl: 'file:///x' })).status).toBe(400)
  })
})
