import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { codingServer } from '../support/coding.ts'
import { says, step } from '../../../../test/support/scripted-model.ts'
import { bearer } from '../../../../test/support/users.ts'
import { wireProvider } from '../../../../test/support/wire-provider.ts'

const LIMIT = 3000

/** A chat completion whose usage stands there as it is written. */
function reply(usage: string): { body: string[] } {
  const choice = '{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}'
  const chunk = `"id":"c1","object":"chat.completion.chunk","created":1,"model":"x"`
  const end = usage === '' ? '' : `data: {${chunk},"choices":[],"usage":${usage}}\n\n`
  return { body: [`data: {${chunk},"choices":[${choice}]}\n\n`, end, 'data: [DONE]\n\n'] }
}

async function server() {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const rules = [{ period: 'daily', tokens: LIMIT }]
  await writeFile(join(home, 'config.yaml'), JSON.stringify({ quotas: { rules } }))
  const provider = await wireProvider()
  onTestFinished(() => provider[Symbol.asyncDispose]())
  const { host } = new URL(provider.url)
  const flags = ['--require-token', '--private-host', host]
  const served = await codingServer({ home, flags, users: ['mallory', 'bob'] })
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const as = (user: string) => bearer(served.server.token(user))
  return {
    ...served,
    as,
    /** Asks mallory's own provider, which reports that usage. */
    async reported(usage: string) {
      provider.play(reply(usage), reply(usage))
      const llmConfig = { model: 'm', apiKey: 'k', baseUrl: `${provider.url}/v1` }
      const body = { message: 'go', workDir: served.root, stream: false, llmConfig }
      return (await served.post('/api/agent-chat', body, as('mallory'))).text()
    },
    async used(user: string) {
      const response = await served.get('/v1/quota', as(user))
      const { limits } = (await response.json()) as { limits: { used: number; remaining: number }[] }
      return { status: response.status, ...limits[0] }
    },
  }
}

it.each([
  '{"prompt_tokens":-500000,"completion_tokens":-1000000000,"total_tokens":-1000500000}',
  '{"prompt_tokens":1.5,"completion_tokens":0.5,"total_tokens":2}',
  '{"prompt_tokens":1e19,"completion_tokens":1,"total_tokens":1}',
  '{"prompt_tokens":1,"completion_tokens":1e300,"total_tokens":1}',
  '{"prompt_tokens":1e999,"completion_tokens":-1e999,"total_tokens":1}',
  '{"prompt_tokens":"7","completion_tokens":"x","total_tokens":null}',
  '{"prompt_tokens":5000,"completion_tokens":5000,"total_tokens":10000}',
  '{}',
  '',
])('ignores the usage %s of a provider of the caller in quotas', async (usage) => {
  const { reported, used, model, as, get, root, post } = await server()
  await reported(usage)
  model.play([step(says('Hello.'))])
  const answer = await post('/api/chat/stream', { message: 'hi', workspaceRoot: root }, as('bob'))
  await answer.text()

  expect(await used('mallory')).toMatchObject({ status: 200, used: 0, remaining: LIMIT })
  const bobs = await used('bob')
  expect(bobs).toMatchObject({ status: 200 })
  expect(bobs.used).toBeGreaterThan(0)
  expect(bobs.used).toBeLessThan(LIMIT)
  for (const user of ['mallory', 'bob']) {
    const response = await get('/v1/usage', as(user))
    const { total } = (await response.json()) as { total: Record<string, number> }
    expect(total).toMatchObject({ runs: 1 })
    for (const count of Object.values(total)) {
      expect(Number.isInteger(count)).toBe(true)
      expect(count).toBeGreaterThanOrEqual(0)
      expect(count).toBeLessThanOrEqual(10_000_000)
    }
  }
})
