import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { chatRequest } from '../../../../test/support/http.ts'
import { socketClient } from '../../../../test/support/socket-client.ts'
import { probeAgent } from '../support/probe-agent.ts'
import { useClaude } from '../support/use-claude.ts'

/** A model that is neither an agent's own nor configured. */
const OTHER = 'claude-opus-9-max'
const SONNET = 'claude-sonnet-5-5'
const HAIKU = 'claude-haiku-5-5'

describe('a user who names a model that is not allowed', () => {
  const { send, thread, models, url, headers, home } = useClaude([probeAgent])
  const refused = {
    status: 403,
    text: expect.stringContaining(`model: anthropic/${OTHER} is not allowed. Use `),
  }
  const config = (llmConfig: Json): Json => ({ message: 'hi', workDir: home(), llmConfig })

  it.each<[name: string, path: string, body: () => Json]>([
    ['for a session', '/api/session', () => ({ model: `anthropic/${OTHER}`, workspaceRoot: home() })],
    [
      'for a chat stream',
      '/api/chat/stream',
      () => ({ message: 'hi', sessionId: 'new-1', model: `anthropic/${OTHER}` }),
    ],
    ['in llmConfig', '/api/agent-chat', () => config({ provider: 'anthropic', model: OTHER })],
    ['in llmConfig, as a whole name', '/api/agent-chat', () => config({ model: `anthropic:${OTHER}` })],
    ['in llmConfig, by its vendor', '/api/agent-chat', () => config({ model: OTHER })],
    [
      'in llmConfig, by another name of it',
      '/api/agent-chat',
      () => config({ provider: 'Claude', model: OTHER }),
    ],
    [
      'in llmConfig, as a model of pi',
      '/api/agent-chat',
      () => config({ model: { id: OTHER, provider: 'anthropic' } }),
    ],
  ])('%s is refused, and nothing is written or asked', async (_name, path, body) => {
    expect(await send('ada', 'POST', path, body())).toMatchObject(refused)

    expect((await send('ada', 'GET', '/v1/threads')).text).toBe('{"threads":[]}')
    expect(models()).toEqual([])
  })

  it('in llmConfig is refused with any key, if it runs on the owner’s machine and needs none', async () => {
    const body = config({ provider: 'ollama', model: 'huge', apiKey: 'anything' })

    expect(await send('ada', 'POST', '/api/agent-chat', body)).toMatchObject({
      status: 403,
      text: expect.stringContaining('model: ollama/huge is not allowed.'),
    })
  })

  it.each([`anthropic/${OTHER}`, `anthropic:${OTHER}`])('for a run is refused: %s', async (model) => {
    const path = await thread('ben', 'life')

    expect(await send('ben', 'POST', `${path}/runs`, { message: 'hi', model })).toMatchObject(refused)

    expect((await send('ben', 'GET', `${path}/messages`)).text).toContain('"messages":[]')
    expect(models()).toEqual([])
  })

  it('for a thread is refused, and the thread stays as it was', async () => {
    const path = await thread('ben', 'life')

    const change = { title: 'other', model: `anthropic/${OTHER}` }
    expect(await send('ben', 'PATCH', path, change)).toMatchObject(refused)

    expect((await send('ben', 'GET', path)).text).toContain('"title":null')
    expect(await send('ben', 'PATCH', path, { model: 'haiku' })).toMatchObject({
      status: 200,
    })
    await send('ben', 'POST', `${path}/runs`, { message: 'hi' })
    expect(models()).toEqual([HAIKU])
  })

  it.each([
    `Anthropic/${OTHER}`,
    'anthropic/Claude-Sonnet-5-5',
    `anthropic/${SONNET}@2026`,
    `anthropic/${SONNET} `,
    `anthropic/anthropic/${SONNET}`,
    `anthropic/../${SONNET}`,
    'anthropic/',
    OTHER,
  ])('is refused by the spelling %j', async (model) => {
    const { status } = await send('ben', 'POST', `${await thread('ben', 'life')}/runs`, {
      message: 'hi',
      model,
    })

    expect([400, 403]).toContain(status)
    expect(models()).toEqual([])
  })

  it.each<[name: string, path: string, body: (id: string) => Json]>([
    ['useChat', '/life/chat', () => ({ ...(chatRequest('hi', { model: OTHER }) as object), model: OTHER })],
    [
      'useChat 4',
      '/life/chat?protocol=data-stream',
      () => ({ messages: [{ role: 'user', content: 'hi' }], model: OTHER }),
    ],
    [
      'AG-UI',
      '/ag-ui/life',
      (id) => ({
        threadId: id,
        runId: id,
        state: { model: OTHER },
        messages: [{ id: 'm', role: 'user', content: 'hi' }],
        tools: [],
        context: [{ description: 'model', value: OTHER }],
        forwardedProps: { model: OTHER, llmConfig: { model: OTHER, provider: 'anthropic' } },
      }),
    ],
  ])('in %s is not heard', async (name, path, body) => {
    expect(await send('ben', 'POST', path, body(name))).toMatchObject({ status: 200 })

    expect(models()).toEqual([SONNET])
  })

  it('in a context is not heard', async () => {
    const body = { message: 'hi', context: { model: OTHER, llmConfig: { model: OTHER } } }
    await send('ben', 'POST', `${await thread('ben', 'life')}/runs`, body)

    expect(models()).toEqual([SONNET])
  })

  it('in a message of Socket.IO is not heard', async () => {
    using page = socketClient(url(), { extraHeaders: headers('ben') })
    await page.run('socket-1', 'run-1', 'hi', { forwardedProps: { agent: 'life', model: OTHER } })

    expect(models()).toEqual([SONNET])
  })

  it('gets a list of those that are allowed', async () => {
    const { text } = await send('ada', 'GET', '/v1/models?agent=life')

    expect(JSON.parse(text)).toEqual({
      models: [SONNET, HAIKU].map((name) => ({ name: `anthropic/${name}`, provider: 'anthropic' })),
    })
  })

  it('reads the refusal in Chinese', async () => {
    const response = await fetch(`${url()}${await thread('ben', 'life')}/runs`, {
      method: 'POST',
      headers: { ...headers('ben'), 'content-type': 'application/json', 'accept-language': 'zh-CN' },
      body: JSON.stringify({ message: 'hi', model: `anthropic/${OTHER}` }),
    })

    expect(await response.text()).toContain(`不允许使用 anthropic/${OTHER}`)
  })

  it('may be the owner of the server', async () => {
    const body = { message: 'hi', model: `anthropic/${OTHER}` }
    const path = `${await thread('owner', 'life')}/runs`
    expect(await send('owner', 'POST', path, body)).toMatchObject({ status: 200 })
    const own = config({ provider: 'anthropic', model: OTHER })
    expect(await send('owner', 'POST', '/api/agent-chat', own)).toMatchObject({ status: 200 })

    expect(models()).toEqual([OTHER, OTHER])
  })
})

describe('a thread whose model is not allowed any more', () => {
  const { send, thread, models, reopen } = useClaude([probeAgent], { models: { allowed: ['anthropic/*'] } })

  it('starts no run, nor does its fork, until it has another model', async () => {
    const model = `anthropic/${OTHER}`
    const path = await thread('ada', 'life')
    await send('ada', 'POST', `${path}/runs`, { message: 'hi', model })
    expect(await send('ada', 'PATCH', path, { model })).toMatchObject({ status: 200 })
    expect(models()).toEqual([OTHER])
    await reopen({ models: { allowed: ['sonnet', 'haiku'] } })

    const refused = { status: 403, text: expect.stringContaining(`model: ${model} is not allowed.`) }
    expect(await send('ada', 'POST', `${path}/runs`, { message: 'again' })).toMatchObject(refused)
    expect(
      await send('ada', 'POST', '/life/chat', {
        ...(chatRequest('hi') as object),
        id: path.split('/')[3] ?? '',
      }),
    ).toMatchObject(refused)
    const fork = await send('ada', 'POST', `${path}/fork`, {})
    const { id } = JSON.parse(fork.text) as { id: string }
    expect(await send('ada', 'POST', `/v1/threads/${id}/runs`, { message: 'hi' })).toMatchObject(refused)
    expect(models()).toEqual([OTHER])

    await send('ada', 'PATCH', path, { model: null })
    expect(await send('ada', 'POST', `${path}/runs`, { message: 'hi' })).toMatchObject({ status: 200 })
    expect(models()).toEqual([OTHER, SONNET])
  })
})

describe('a tier that may run less than the server', () => {
  const { send, thread, models, home, call, play } = useClaude([probeAgent], {
    quotas: { tiers: { pro: ['ben'] }, rules: [] },
    models: { allowed: ['anthropic/*'], tiers: { free: { allowed: ['haiku'] } } },
  })

  it('asks only its models, whatever asks for it', async () => {
    const path = `${await thread('ada', 'probe')}/runs`
    play(call)
    await send('ada', 'POST', path, { message: 'hi' })
    expect(models()).toEqual([HAIKU, HAIKU, HAIKU])

    play()
    await send('ada', 'GET', '/probe/ask')
    await send('ada', 'GET', '/probe/delegate')
    await send('ada', 'POST', '/life/chat', chatRequest('hi'))
    await send('ada', 'POST', '/api/agent-chat', { message: 'hi', workDir: home() })
    expect(models()).toEqual([HAIKU, HAIKU, HAIKU, HAIKU])

    const refused = await send('ada', 'POST', path, { message: 'hi', model: 'sonnet' })
    expect(refused).toMatchObject({ status: 403 })
    expect(refused.text).toContain(
      `model: anthropic/${SONNET} is not allowed. Use anthropic/${HAIKU}, offline.`,
    )
    expect((await send('ada', 'GET', '/v1/models')).text).not.toContain(SONNET)
  })

  it('leaves the models of another tier', async () => {
    play(call)
    const path = `${await thread('ben', 'probe')}/runs`
    await send('ben', 'POST', path, { message: 'hi', model: `anthropic/${OTHER}` })

    expect(models()).toEqual([OTHER, SONNET, OTHER])
    expect((await send('ben', 'GET', '/v1/models')).text).toContain(SONNET)
  })
})
