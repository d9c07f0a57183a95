import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Server, Json } from '../../../../packages/dragoman/src/index.ts'
import { openServer } from '../../src/main.ts'
import { client } from '../../../../test/support/http.ts'

const KEY = 'sk-callers-own-1234'

/** The real agent, on a machine without any key. */
describe('a request of the agent chat', () => {
  let folder: string
  let work: string
  let dragoman: Server
  const open = (...args: string[]): Promise<Server> =>
    openServer(['--home', join(folder, 'home'), '--log-level', 'silent', ...args], {
      DRAGOMAN_OFFLINE_PACE: '0',
    })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    work = join(folder, 'work')
    await mkdir(work)
    await mkdir(join(folder, 'work2'))
    await writeFile(join(work, 'a.txt'), 'a')
    await symlink(join(folder, 'work2'), join(work, 'out'))
    dragoman = await open('--root', work)
  })
  afterAll(async () => {
    await dragoman.close()
    await rm(folder, { recursive: true })
  })
  const ask = async (body: Json | string): Promise<{ status: number; error: unknown }> => {
    const response = await client(dragoman).post('/api/agent-chat', body)
    const text = await response.text()
    return {
      status: response.status,
      error: response.ok ? text : (JSON.parse(text) as { error: string }).error,
    }
  }

  it.each([
    ['{"message": "x", "workDir', 'Invalid JSON body'],
    ['', 'Invalid JSON body'],
    [{}, 'message is required'],
    [{ message: '', workDir: '/' }, 'message is required'],
    [{ message: 'x' }, 'workDir is required'],
    [{ message: 'x', workDir: 'work' }, 'workDir must be an absolute path'],
  ])('is rejected with %j: %s', async (body, error) => {
    expect(await ask(body)).toEqual({ status: 400, error })
  })

  it('is rejected if its folder is a file or is not served, with advice', async () => {
    expect(await ask({ message: 'x', workDir: join(work, 'a.txt') })).toEqual({
      status: 400,
      error: 'workDir is no folder on this machine',
    })
    const outside = [folder, join(folder, 'work2'), join(work, 'out'), `${work}/../work2`]
    for (const workDir of [
      ...outside,
      '/nowhere/at/all',
      join(work, 'out/none'),
      '/etc/passwd',
      '/etc/passwd/x',
    ]) {
      const refused = await ask({ message: 'x', workDir })
      expect(refused).toMatchObject({ status: 403, error: expect.stringMatching(/^workDir: .*--root/) })
    }
  })

  it('is rejected if no folder is served, with advice', async () => {
    const off = await open()
    const response = await client(off).post('/api/agent-chat', { message: 'x', workDir: work })

    expect([response.status, await response.json()]).toMatchObject([
      503,
      { error: expect.stringContaining('--root') },
    ])
    await off.close()
  })

  it('is answered by the demo model if there is no key', async () => {
    for (const llmConfig of [undefined, null, {}, { apiKey: '', model: '', baseUrl: '', headers: {} }]) {
      const answer = await ask({
        message: 'hello',
        workDir: work,
        ...(llmConfig !== undefined && { llmConfig }),
      })
      expect(answer).toMatchObject({ status: 200, error: expect.stringContaining('"type":"complete"') })
    }
  })

  it.each([
    { provider: 'openai', model: 'gpt-6-astra' },
    { provider: 'anthropic' },
    { model: 'claude-sonnet-5-5' },
    { model: 'anthropic:claude-sonnet-5-5' },
    { model: 'sonnet' },
    { model: { id: 'gemini-flash-latest', provider: 'google' } },
    { provider: 'groq', model: 'llama-4' },
    { model: 'somebody-elses' },
    { baseUrl: 'https://api.example.com/v1', model: 'm' },
  ])('gets 401 for %j without a key', async (llmConfig) => {
    expect(await ask({ message: 'x', workDir: work, llmConfig })).toMatchObject({ status: 401 })
  })

  it.each([
    [{ apiKey: 7 }, 'llmConfig.apiKey must be text'],
    [{ apiKey: `${KEY}\nx` }, 'llmConfig.apiKey is no key'],
    [{ apiKey: `${KEY}钥` }, 'llmConfig.apiKey is no key'],
    [{ temperature: 'hot' }, 'llmConfig.temperature must be a number'],
    [{ temperature: 3 }, 'llmConfig.temperature must be 2 or less'],
    [{ maxTokens: 0 }, 'llmConfig.maxTokens must be 1 or more'],
    [{ maxTokens: 1.5 }, 'llmConfig.maxTokens must be a whole number'],
    [{ model: 5 }, 'llmConfig.model must be a name, or a model with an id'],
    [{ headers: { 'X-A': 5 } }, 'llmConfig.headers.X-A must be text'],
    [{ headers: ['X-A'] }, 'llmConfig.headers must be an object'],
    ['sonnet', 'llmConfig must be an object'],
    [{ apiKey: KEY, headers: { Host: 'evil.example' } }, 'llmConfig.headers.Host is not yours to set'],
    [
      { apiKey: KEY, headers: { 'content-length': '1' } },
      'llmConfig.headers.content-length is not yours to set',
    ],
    [{ apiKey: KEY, headers: { 'a b': '1' } }, 'llmConfig.headers.a b is no header'],
    [
      { apiKey: KEY, headers: { a: 'x\r\nhost: y' } },
      'llmConfig.headers.a holds characters that no header can',
    ],
    [
      { headers: { 'x-target': 'https://evil.example' } },
      'llmConfig.headers go along with llmConfig.apiKey only.',
    ],
    [{ apiKey: KEY, model: 'm', baseUrl: 'ftp://x' }, 'llmConfig.baseUrl is not an http or https address.'],
    [{ apiKey: KEY, baseUrl: 'https://api.example.com' }, 'llmConfig.model is required'],
    [{ apiKey: KEY, provider: 'groq' }, 'llmConfig.model is required'],
  ])('is rejected with %j: %s', async (llmConfig, error) => {
    expect(await ask({ message: 'x', workDir: work, llmConfig })).toEqual({ status: 400, error })
  })

  it('gets the list of providers for a key of an unknown one', async () => {
    for (const llmConfig of [
      { apiKey: KEY, model: 'somebody-elses' },
      { apiKey: KEY, provider: KEY, model: 'm' },
    ]) {
      const { status, error } = await ask({ message: 'x', workDir: work, llmConfig })
      expect([status, error]).toEqual([
        400,
        expect.stringMatching(/llmConfig\.provider is required.*openrouter/),
      ])
      expect(error).not.toContain(KEY)
    }
  })

  it.each([
    'http://127.0.0.1:8080/v1',
    'http://2130706433/v1',
    'http://localhost:11434',
    'http://[::1]/v1',
    'http://[::ffff:10.0.0.1]/v1',
    'http://169.254.169.254/latest',
    'http://10.1.2.3/v1',
    'http://0.0.0.0/v1',
  ])('cannot reach %s', async (baseUrl) => {
    const llmConfig = { apiKey: KEY, model: 'm', baseUrl }
    expect(await ask({ message: 'x', workDir: work, llmConfig })).toMatchObject({
      status: 403,
      error: expect.stringContaining('is not a public address'),
    })
  })
})
