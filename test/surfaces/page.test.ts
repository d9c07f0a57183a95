import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { client } from '../support/http.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

describe('the page of a plug-in', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-page-'))
    await mkdir(join(folder, 'assets'))
    await mkdir(join(folder, 'views'))
    await writeFile(
      join(folder, 'index.html'),
      '<title>Mine</title><script>let inline</script><link href="./assets/icon.svg" />',
    )
    await writeFile(join(folder, 'assets/app-1a2b3c4d.js'), 'export {}')
    await writeFile(join(folder, 'views/dice.js'), 'export default () => null')
    await writeFile(join(folder, 'secret.txt'), 'another file')
  })
  afterAll(() => rm(folder, { recursive: true }))

  const open = () =>
    openServer({
      models: scriptedModel().models,
      plugins: [{ name: 'page', page: folder }],
      capability: {
        views: [{ kind: 'card', module: pathToFileURL(join(folder, 'views/dice.js')), tools: ['roll'] }],
      },
    })

  it('is served at / and at the paths of its router, with a policy for its scripts', async () => {
    await using server = await open()
    const { get } = client(server)

    for (const path of ['/', '/console/inbox', '/console/threads/conv_1']) {
      const response = await get(path)
      expect(await response.text()).toContain('<title>Mine</title>')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('content-security-policy')).toMatch(
        /default-src 'none'; script-src 'self' 'sha256-[\w+/=]+';/,
      )
    }
    for (const [path, address] of [
      ['/', './console/assets/icon.svg'],
      ['/console/inbox', '../console/assets/icon.svg'],
      ['/console/inbox/', '../../console/assets/icon.svg'],
      ['/console//inbox', '../../console/assets/icon.svg'],
      ['/console/agents/jobs/postings/7?a=/b', '../../../../console/assets/icon.svg'],
    ] as const)
      expect(await (await get(path)).text()).toContain(`href="${address}"`)
    expect((await get(`/console/${'a/'.repeat(20)}`)).status).toBe(404)
    const script = await get('/console/assets/app-1a2b3c4d.js')
    expect(await script.text()).toBe('export {}')
    expect(script.headers.get('cache-control')).toContain('immutable')
  })

  it('has the views of agents under addresses that change with their content', async () => {
    await using server = await open()
    const { get, json } = client(server)
    const { agents } = (await json('GET', '/v1/agents')).body as {
      agents: { views: { module: string; tools: string[] }[] }[]
    }
    const [view] = agents[0]?.views ?? []

    expect(view).toMatchObject({ kind: 'card', tools: ['roll'] })
    expect(view?.module).toMatch(/^\/console\/views\/jobs\/dice\.js\?v=[\da-f]{12}$/)
    expect(await (await get(view?.module ?? '')).text()).toBe('export default () => null')
  })

  it.each([
    '/console/assets/none.js',
    '/console/assets/../secret.txt',
    '/console/assets/%2e%2e/secret.txt',
    '/console/assets/..%2fsecret.txt',
    '/console/views/jobs/../secret.txt',
    '/console/views/jobs/..%2fsecret.txt',
    '/console/views/jobs/%2e%2e%2fsecret.txt',
    '/console/views/other/dice.js',
  ])('gives no other file: %s', async (path) => {
    await using server = await open()

    const response = await client(server).get(path)

    expect(await response.text()).not.toContain('another file')
    // A path that leaves the folder of files may be one of the router's.
    expect(response.headers.get('content-type')).toMatch(/^(?:application\/json|text\/html)/)
  })
})
