import { AgentCapabilitiesSchema } from '@ag-ui/core/schemas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chunk, difyServer, finished } from '../../src/dify/dify.fixture.ts'
import { readStored } from '../../../../test/support/home-storage.ts'
import { client } from '../../../../test/support/http.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { isRunEnd, socketClient, textIn, type AgUiEvent } from '../../../../test/support/socket-client.ts'
import { workflows } from '../../src/index.ts'

const context = { runner: 'dify', workflowId: 'greeting-workflow', inputs: { name: 'Ada' } }

describe('workflows', () => {
  let dify: Awaited<ReturnType<typeof difyServer>>
  let server: TestServer
  beforeAll(async () => {
    dify = await difyServer()
    const env = { DIFY_BASE_URL: dify.url, DIFY_GREETING_WORKFLOW_KEY: 'app-secret-key' }
    server = await openServer({ models: scriptedModel().models, agents: [workflows], env, isOnDisk: true })
    dify.answer({
      frames: [
        { event: 'node_started', data: { node_id: 'n1', title: 'LLM' } },
        chunk('Hello, '),
        chunk('Ada.'),
        finished({}),
      ],
    })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await dify[Symbol.asyncDispose]()
  })

  const agUi = (forwardedProps: object, runId: string) =>
    client(server).post(
      '/ag-ui/workflows',
      JSON.stringify({
        threadId: 'thread-1',
        runId,
        state: {},
        tools: [],
        context: [],
        messages: [{ id: `m-${runId}`, role: 'user', content: 'Greet.' }],
        forwardedProps,
      }),
    )
  const eventsIn = (text: string): AgUiEvent[] =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as AgUiEvent] : []))

  it('are listed, without their keys', async () => {
    expect(await client(server).json('GET', '/workflows')).toEqual({
      status: 200,
      body: { workflows: [{ runner: 'dify', workflowId: 'greeting-workflow', description: '' }] },
    })
  })

  it('report in the status what they do not support', async () => {
    const { body } = await client(server).json('GET', '/ag-ui/workflows/capabilities')

    expect(AgentCapabilitiesSchema.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({
      tools: { supported: false, clientProvided: false },
      reasoning: { supported: false },
      humanInTheLoop: { supported: false },
    })
    const info = await client(server).json('GET', '/copilotkit/info')
    expect(info.body).toMatchObject({
      agents: { workflows: { capabilities: body } },
    })
  })

  it('run for an AG-UI client', async () => {
    const events = eventsIn(await (await agUi(context, 'run-1')).text())

    expect(textIn(events)).toBe('Hello, Ada.')
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['STEP_STARTED', 'CUSTOM', 'RUN_FINISHED']),
    )
    expect(dify.asked.at(-1)).toMatchObject({
      key: 'Bearer app-secret-key',
      body: { inputs: { name: 'Ada' } },
    })
  })

  it('run from a context, and can be followed in any protocol', async () => {
    const thread = await client(server).json('POST', '/v1/threads', { agent: 'workflows' })
    const request = { agent: 'workflows', message: 'Greet.', context: context }
    const answer = await client(server).post(`/v1/threads/${String(thread.body['id'])}/runs`, request)
    await answer.text()
    const run = answer.headers.get('x-run-id')
    const chat = await (await client(server).get(`/v1/runs/${run}/events?protocol=ui-message-stream`)).text()

    expect(chat).toContain('"delta":"Hello, Ada."')
    expect(chat).toContain('"type":"finish"')
  })

  it('run over Socket.IO', async () => {
    using page = socketClient(server.url)
    page.send('run_workflow', { ...context, tools: [], runId: 'run-s', threadId: 'thread-s' })
    await page.until(isRunEnd('run-s'))

    expect(textIn(page.of('run-s'))).toBe('Hello, Ada.')
    expect(page.of('run-s').at(-1)?.type).toBe('RUN_FINISHED')
  })

  it('are refused with a list of the known ones if the name is unknown', async () => {
    const unknown = await agUi({ ...context, workflowId: 'no-such' }, 'run-2')
    using page = socketClient(server.url)
    page.send('run_workflow', { ...context, workflowId: 'no-such', runId: 'run-u', threadId: 'thread-u' })
    const events = await page.until(({ event }) => event.type === 'RUN_ERROR')

    expect(unknown.status).toBe(400)
    expect(await unknown.text()).toContain('greeting-workflow')
    expect(events.event['message']).toContain('greeting-workflow')
    expect(await (await agUi({ runner: 'n8n', workflowId: 'x' }, 'run-3')).text()).toContain('There is: dify')
  })

  it('report why they failed, without their key', async () => {
    dify.answer({ status: 400, json: { message: 'name is required' } })
    const events = eventsIn(await (await agUi(context, 'run-4')).text())
    const stored = await readStored(server.home)

    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      message: 'The workflow failed: name is required',
    })
    expect(stored).not.toContain('app-secret-key')
  })

  it('are absent if none is configured', async () => {
    await using plain = await openServer({ models: scriptedModel().models, agents: [workflows] })

    expect((await client(plain).get('/workflows')).status).toBe(404)
    using page = socketClient(plain.url)
    page.send('run_workflow', { ...context, runId: 'run-n', threadId: 'thread-n' })
    const events = await page.until(({ event }) => event.type === 'RUN_ERROR')
    expect(events.event['message']).toMatch(/^type: must be one of run_agent, /)
  })
})
