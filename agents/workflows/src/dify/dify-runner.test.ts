import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { WorkflowUpdate } from '../workflow-runner.ts'
import type { Workflow } from '../read-workflows.ts'
import { chunk, difyServer, finished, task, type Answer } from './dify.fixture.ts'
import { difyRunner } from './dify-runner.ts'

describe('the Dify runner', () => {
  let dify: Awaited<ReturnType<typeof difyServer>>
  beforeAll(async () => {
    dify = await difyServer()
  })
  afterAll(() => dify[Symbol.asyncDispose]())

  type Options = Partial<Pick<Workflow, 'app' | 'baseUrl'>> & {
    readonly signal?: AbortSignal
    readonly patienceMs?: number
    /** Told once words have come. */
    readonly heard?: () => void
  }
  const ask = async (answer: Answer, { heard, ...asking }: Options = {}) => {
    dify.answer(answer)
    const { signal = new AbortController().signal, patienceMs = 10_000 } = asking
    const { app = 'workflow', baseUrl = dify.url } = asking
    const workflow: Workflow = { id: 'greet', description: '', baseUrl, key: 'app-secret', app }
    const reported: unknown[] = []
    const runner = difyRunner([workflow], {
      report: (error) => reported.push(error),
      idleTimeoutMs: patienceMs,
    })
    const news: WorkflowUpdate[] = []
    const request = { workflowId: 'greet', inputs: { name: 'Ada' }, words: 'Hi.', userId: 'ada', signal }
    const usage = await runner.run(request, (each) => {
      news.push(each)
      heard?.()
    })
    const text = news.flatMap((each) => (each.type === 'text' ? [each.delta] : [])).join('')
    return { usage, news, text, reported }
  }

  it('streams text and nodes of a workflow, with its own key and without the user’s name', async () => {
    const node = { node_id: 'n1', title: 'LLM' }
    const { news, text, usage } = await ask({
      frames: [
        { event: 'workflow_started', ...task },
        { event: 'node_started', data: node },
        chunk('你'),
        chunk('好'),
        { event: 'node_finished', data: { ...node, status: 'succeeded' } },
        finished({ text: 'unheard' }, { total_tokens: 12 }),
      ],
    })

    expect(text).toBe('你好')
    expect(news.flatMap((each) => (each.type === 'node' ? [each.state] : []))).toEqual([
      'started',
      'finished',
    ])
    expect(usage).toMatchObject({ outputTokens: 12, estimated: true })
    const [sent] = dify.asked.slice(-1)
    expect(sent).toMatchObject({
      path: '/v1/workflows/run',
      key: 'Bearer app-secret',
      body: {
        inputs: { name: 'Ada' },
        response_mode: 'streaming',
        user: expect.stringMatching(/^dragoman-[\da-f]{16}$/),
      },
    })
  })

  it.each([
    [{ text: 'Hello.', other: 1 }, 'Hello.'],
    [{ greeting: 'Hello.' }, 'Hello.'],
    [{ a: 1, b: 2 }, JSON.stringify({ a: 1, b: 2 }, null, 2)],
  ])('returns the outputs %j if no text came', async (outputs, text) => {
    expect(await ask({ frames: [finished(outputs)] })).toMatchObject({ text })
  })

  it('sends the user’s message to a chat workflow', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    const frames = [
      { event: 'agent_message', ...task, answer: 'Hey.' },
      { event: 'message_end', metadata: { usage } },
    ]

    expect(await ask({ frames }, { app: 'chat' })).toMatchObject({
      text: 'Hey.',
      usage: { inputTokens: 3, outputTokens: 4 },
    })
    expect(dify.asked.at(-1)).toMatchObject({ path: '/v1/chat-messages', body: { query: 'Hi.' } })
  })

  it.each([
    [
      { prompt_tokens: -3, completion_tokens: 1.5 },
      { inputTokens: 0, outputTokens: 2 },
    ],
    [
      { prompt_tokens: '3', completion_tokens: 1e300 },
      { inputTokens: 0, outputTokens: 10_000_000 },
    ],
    [{}, { inputTokens: 0, outputTokens: 0 }],
    ['none', undefined],
  ])('reads the usage %j as %j', async (reported, usage) => {
    const frames = [
      { event: 'agent_message', ...task, answer: 'Hey.' },
      { event: 'message_end', metadata: { usage: reported } },
    ]

    expect(await ask({ frames }, { app: 'chat' })).toMatchObject({ text: 'Hey.', usage })
  })

  it.each([
    [-12, undefined],
    ['12', undefined],
    [1e19, { inputTokens: 0, outputTokens: 10_000_000, estimated: true }],
  ])('reads the total %j of a workflow as %j', async (total, usage) => {
    const frames = [chunk('Hey.'), finished({}, { total_tokens: total })]

    expect(await ask({ frames })).toMatchObject({ text: 'Hey.', usage })
  })

  it.each([
    ['no text', { frames: [finished({})] }, 'model-failed', /no text and no outputs/],
    [
      'a failed status',
      { frames: [finished(null, { status: 'failed', error: 'No such node.' })] },
      'model-failed',
      /No such node/,
    ],
    [
      'an error',
      { frames: [chunk('a'), { event: 'error', status: 429, message: 'Slow down.' }] },
      'rate-limited',
      /Slow down/,
    ],
    ['a broken end', { frames: [chunk('a')] }, 'model-failed', /ended before/],
    [
      'a refusal',
      { status: 400, json: { code: 'invalid_param', message: 'name is required' } },
      'model-refused',
      /name is required/,
    ],
    [
      'a wrong key',
      { status: 401, json: { message: 'Bad key app-secret' } },
      'model-unauthorized',
      /Bad key …/,
    ],
    ['no stream and no end', { status: 502, endless: 'x'.repeat(100_000) }, 'model-failed', /status 502/],
    ['no JSON', { status: 502, json: [] }, 'model-failed', /status 502/],
    ['JSON in place of a stream', { status: 200, json: { data: {} } }, 'model-failed', /status 200/],
  ] satisfies [string, Answer, string, RegExp][])('fails at %s', async (_, answer, code, words) => {
    const failing = ask(answer)

    await expect(failing).rejects.toMatchObject({ code, message: expect.stringMatching(words) })
  })

  it('fails if the server is unreachable or silent', async () => {
    await expect(ask({ frames: [] }, { baseUrl: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      code: 'model-failed',
    })
    await expect(ask({ frames: [chunk('a')], open: true }, { patienceMs: 50 })).rejects.toMatchObject({
      code: 'timed-out',
    })
  })

  it('stops Dify’s task when the signal aborts', async () => {
    const control = new AbortController()
    const frames = [{ ...chunk('Half'), task_id: 't2' }]
    const onText = (): void => control.abort()
    const stopped = await ask({ frames, open: true }, { signal: control.signal, heard: onText })
    await dify.askedAt('/workflows/tasks/t2/stop')

    expect(stopped).toMatchObject({ text: 'Half', usage: undefined, reported: [] })
  })
})
