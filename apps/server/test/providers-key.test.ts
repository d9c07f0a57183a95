import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { eveRequest } from '../../../agents/jobs/test/support/eve-request.ts'
import { events, wireProvider, type Reply } from '../../../test/support/wire-provider.ts'
import { wireWords } from '../../../test/support/wire-words.ts'
import { postJson } from '../../../test/support/http.ts'

const KEY = 'sk-ant-very-secret-1234'
const ROOT = join(import.meta.dirname, '../../..')

/** The server as it is started by its users, with all that it writes to its terminal. */
async function startServer(home: string, env: Record<string, string>, ...more: string[]) {
  const args = ['apps/server/src/bin.ts', '--port', '0', '--home', home, '--log-level', 'trace', ...more]
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const ready = Promise.withResolvers<string>()
  const note = (chunk: Buffer): void => {
    output += chunk.toString()
    const url = /^dragoman ready (\S+)$/m.exec(output)?.[1]
    if (url) ready.resolve(url)
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const closed = once(child, 'close')
  closed.then(() => ready.reject(new Error(`It ended: ${output}`)), ready.reject)
  return {
    url: await ready.promise,
    /** Stops it, and gives what it has written. */
    async stop(): Promise<string> {
      child.kill('SIGTERM')
      await closed
      return output
    },
  }
}

/** Everything in a folder, as bytes are letters. */
async function contentOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((name) => name.isFile()).map((file) => join(file.parentPath, file.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

it('never stores or shows a key, and sends it only to its provider', async () => {
  const claude = wireWords.find(({ api }) => api === 'anthropic')
  if (!claude) throw new Error('There are no words of Claude.')
  const { begin, text, end } = claude
  const quoted = { type: 'error', error: { type: 'api_error', message: `Incorrect API key: ${KEY}` } }
  const refusal: Reply = { status: 401, body: [JSON.stringify(quoted)] }
  await using provider = await wireProvider()
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const server = await startServer(home, {
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: provider.url,
    PATH: process.env['PATH'] ?? '',
  })
  const ask = async (...replies: Reply[]): Promise<string> => {
    provider.play(...replies)
    const response = await postJson(`${server.url}/jobs/chat`, eveRequest('hi'))
    const log = await fetch(`${server.url}/v1/runs/${response.headers.get('x-run-id')}/events`)
    return [await response.text(), await log.text()].join('\n')
  }

  try {
    const refused = await ask(refusal, refusal)
    const broken = await ask({ body: [...begin, ...text('Hel'), ...events(quoted)] })
    const answered = await ask({ body: [...begin, ...text('Hello'), ...end] })
    const status = await (await fetch(`${server.url}/jobs/agent/status`)).text()
    const output = await server.stop()
    const files = await contentOf(home)

    expect(refused).toContain('The model provider refused the key for anthropic:claude-sonnet-5-5.')
    expect(broken).toContain('model-failed')
    expect(answered).toContain('Hello')
    expect(provider.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY])
    expect(files).toContain('claude-sonnet-5-5')
    expect([refused, broken, answered, status, output, files].join('\n')).not.toContain(KEY)
  } finally {
    await server.stop()
    await rm(home, { recursive: true })
  }
})

it('never stores a caller’s key, also for failed requests', async () => {
  const theirs = 'sk-of-its-caller-5678'
  const chat = wireWords.find(({ api }) => api === 'chat')
  if (!chat) throw new Error('There are no words of chat completions.')
  const { begin, text, end } = chat
  const quoted = { error: { type: 'invalid_api_key', message: `Incorrect API key: ${theirs}` } }
  await using provider = await wireProvider()
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const hosts = ['--private-host', new URL(provider.url).host, '--root', home]
  const server = await startServer(home, { PATH: process.env['PATH'] ?? '' }, ...hosts)
  const ask = async (llmConfig: object | string, ...replies: Reply[]): Promise<string> => {
    provider.play(...replies)
    const body = { message: 'hi', workDir: home, llmConfig: 'HERE' }
    const configText = typeof llmConfig === 'string' ? llmConfig : JSON.stringify(llmConfig)
    const response = await fetch(`${server.url}/api/agent-chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body).replace('"HERE"', configText),
    })
    const run = `${server.url}/v1/runs/${response.headers.get('x-run-id')}`
    const [shown, log] = await Promise.all([fetch(run), fetch(`${run}/events`)])
    return [await response.text(), await shown.text(), await log.text()].join('\n')
  }
  const config = { apiKey: theirs, model: 'glm-x', baseUrl: provider.url, headers: { 'X-Also': theirs } }

  try {
    const answered = await ask(config, { body: [...begin, ...text('Hello'), ...end] })
    const all = [
      answered,
      await ask(config, { status: 401, body: [JSON.stringify(quoted)] }),
      await ask(config, { body: [...begin, ...text('Hel'), ...events(quoted as object)] }),
      await ask(config, { body: [...begin, ...text('Hel')], after: 'cut' }),
      await ask({ ...config, baseUrl: 'http://127.0.0.1:9' }),
      await ask({ ...config, baseUrl: 'https://models.invalid' }),
      await ask({ ...config, apiKey: `${theirs}\n` }),
      await ask({ ...config, apiKey: `${theirs}钥` }),
      await ask({ ...config, apiKey: [theirs] }),
      await ask({ ...config, headers: { [theirs]: theirs, host: theirs } }),
      await ask({ ...config, temperature: theirs }),
      await ask({ ...config, provider: theirs, baseUrl: undefined, model: undefined }),
      await ask(`{"apiKey": "${theirs}" "model"`),
    ]
    const documented = await (await fetch(`${server.url}/openapi.json`)).text()
    const output = await server.stop()
    const files = await contentOf(home)

    expect(answered).toContain('Hello')
    expect(files).toContain('custom:glm-x')
    expect([...all, documented, output, files].join('\n')).not.toContain(theirs)
  } finally {
    await server.stop()
    await rm(home, { recursive: true })
  }
}, 30_000)
