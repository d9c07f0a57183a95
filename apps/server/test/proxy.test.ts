import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { postJson } from '../../../test/support/http.ts'
import { run, SQLITE_BIN } from '../../../test/support/process.ts'
import { wireProvider, type WireProvider } from '../../../test/support/wire-provider.ts'
import { wireWords } from '../../../test/support/wire-words.ts'

describe('a server behind a proxy', () => {
  let provider: WireProvider
  let proxy: Server
  let hosts: string[]
  beforeEach(async () => {
    provider = await wireProvider()
    const chat = wireWords.find(({ api }) => api === 'chat')
    if (!chat) throw new Error('There are no words of chat.')
    provider.play({ body: [...chat.begin, ...chat.text('Hello from there.'), ...chat.end] })
    hosts = []
    // All names lead to the provider.
    proxy = createServer().on('connect', ({ url }, client) => {
      hosts.push(String(url))
      const target = connect(Number(new URL(provider.url).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        target.pipe(client).pipe(target)
      })
      const close = (): void => {
        target.destroy()
        client.destroy()
      }
      target.on('error', close)
      client.on('error', close)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
    await provider[Symbol.asyncDispose]()
  })

  const ask = async (env: Record<string, string>) => {
    const home = await createTempDir()
    const server = run(['--port', '0', '--home', home, '--model', 'openai/any'], {
      OPENAI_API_KEY: 'sk-any-0123456789',
      ...env,
    })
    const response = await postJson(`${await server.ready}/jobs/chat`, {
      messages: [{ role: 'user', content: 'hi' }],
      options: { stream: false },
    })
    const answer = await response.text()
    await server.stop()
    return answer
  }
  const address = (): string => `127.0.0.1:${(proxy.address() as AddressInfo).port}`

  it.each(['http://', ''])('reaches a provider through %sHOST:PORT', async (scheme) => {
    const variables = { HTTP_PROXY: scheme + address(), NO_PROXY: 'intern.example' }
    const answer = await ask({ OPENAI_BASE_URL: 'http://models.corp.invalid/v1', ...variables })

    expect(answer).toContain('Hello from there.')
    expect(hosts).toEqual(['models.corp.invalid:80'])
  })

  it('reaches a provider from a server of own agents', async () => {
    const home = await createTempDir()
    const program = join(home, 'server.ts')
    const core = join(import.meta.dirname, '../../../packages/dragoman/src/index.ts')
    await writeFile(
      program,
      `import { createServer, defineAgent, readConfig } from ${JSON.stringify(core)}
      const bot = defineAgent({ id: 'bot', instructions: 'Be brief.', model: 'openai/any', tools: [] })
      const server = await createServer({ agents: [bot], config: readConfig(process.argv.slice(2), process.env) })
      console.log('dragoman ready ' + (await server.listen()))
      process.on('SIGTERM', () => void server.close())`,
    )
    const variables = { HTTPS_PROXY: address(), HTTP_PROXY: address(), OPENAI_API_KEY: 'sk-any-0123456789' }
    const env = { ...variables, OPENAI_BASE_URL: 'http://models.corp.invalid/v1' }
    const server = run(['--port', '0', '--home', home], env, ':', program)
    const answer = await postJson(`${await server.ready}/bot/chat`, {
      message: 'hi',
      options: { stream: false },
    })

    expect(await answer.text()).toContain('Hello from there.')
    expect(hosts).toEqual(['models.corp.invalid:80'])
    expect((await server.stop()).stderr).toContain('"variables":["HTTPS_PROXY","HTTP_PROXY"]')
  })

  it('reaches models on this machine without it', async () => {
    const answer = await ask({ OPENAI_BASE_URL: `${provider.url}/v1`, HTTP_PROXY: `http://${address()}` })

    expect(answer).toContain('Hello from there.')
    expect(hosts).toEqual([])
  })

  it('says which variable names no proxy', async () => {
    const { code, stderr } = await run(['--version'], { HTTPS_PROXY: 'http://' }, ':', SQLITE_BIN).ended

    expect(code).toBe(0)
    expect(stderr).toBe(
      'dragoman: HTTPS_PROXY: is no address of a proxy, such as http://proxy.example:8080. Requests go without it.\n',
    )
  })
})
