import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type ToolResult } from '../packages/dragoman/src/index.ts'
import { isOnPostgres } from '../packages/dragoman/src/testing/test-storage.fixture.ts'
import { startCollector, type Span } from './support/collector.ts'
import { gate } from './support/gate.ts'
import { client } from './support/http.ts'
import { calls, refuses, says, scriptedModel, step, thinks } from './support/scripted-model.ts'
import { openServer, type TestServer } from './support/server.ts'

const SECRET = 'hunter2-very-secret'
const tool = (name: string, execute: () => Promise<ToolResult>, needsApproval = false) =>
  defineTool({
    name,
    description: SECRET,
    inputSchema: z.object({ word: z.string() }),
    execute,
    needsApproval,
  })
const tools = [
  tool('look', async () => toolResult({ output: SECRET, text: SECRET })),
  tool('stumble', async () => {
    throw new Error(SECRET)
  }),
  tool('apply', async () => toolResult({ output: SECRET, text: SECRET }), true),
]

describe('telemetry', () => {
  const model = scriptedModel()
  let home: string
  let house: Awaited<ReturnType<typeof startCollector>>
  let server: TestServer
  const open = () =>
    openServer({
      models: model.models,
      tools,
      home,
      flags: ['--metrics'],
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: house.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=collectors',
        OTEL_BSP_SCHEDULE_DELAY: '10',
        LANGFUSE_HOST: `${house.url}/fuse`,
        LANGFUSE_PUBLIC_KEY: 'pk',
        LANGFUSE_SECRET_KEY: 'sk',
      },
    })
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    house = await startCollector()
    server = await open()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await house[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })

  /** Asks, and gives the run's name and what was answered. */
  const ask = async () => {
    const { body } = await client(server).json('POST', '/v1/threads', { agent: 'jobs' })
    const thread = String(body['id'])
    const answer = await client(server).post(`/v1/threads/${thread}/runs`, { agent: 'jobs', message: SECRET })
    return { run: String(answer.headers.get('x-run-id')), thread, answer }
  }
  /** The spans of a run, once so many of its attempts are there. */
  const spansOf = async (run: string, attempts = 1) => {
    const found = () => house.spans().filter(({ attributes }) => attributes['dragoman.run.id'] === run)
    const roots = () => found().filter(({ name }) => name.startsWith('invoke_agent'))
    await expect.poll(() => roots().length, { interval: 10, timeout: 10_000 }).toBe(attempts)
    const of = (operation: string): Span[] =>
      found().filter(({ attributes }) => attributes['gen_ai.operation.name'] === operation)
    return { all: found(), roots: of('invoke_agent'), chats: of('chat'), tools: of('execute_tool') }
  }

  it('shows a run as one trace, in the words of the conventions', async () => {
    model.play([
      step(thinks(SECRET), calls('c1', 'look', { word: SECRET }), calls('c2', 'stumble', { word: SECRET })),
      step(says(SECRET)),
    ])
    const { run, thread, answer } = await ask()
    await answer.text()
    const { all, roots, chats, tools: used } = await spansOf(run)

    const [root] = roots
    expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1)
    expect(root?.parentSpanId ?? '').toBe('')
    expect([...chats, ...used].every(({ parentSpanId }) => parentSpanId === root?.spanId)).toBe(true)
    expect(all.every(({ start, end }) => start <= end && start >= (root?.start ?? 0))).toBe(true)
    expect(root).toMatchObject({
      name: 'invoke_agent jobs',
      attributes: {
        'gen_ai.agent.id': 'jobs',
        'gen_ai.conversation.id': thread,
        'gen_ai.provider.name': 'scripted',
        'gen_ai.usage.input_tokens': 14,
        'gen_ai.usage.output_tokens': 10,
        'gen_ai.response.finish_reasons': ['stop'],
        'dragoman.run.outcome': 'finished',
      },
    })
    expect(chats).toHaveLength(2)
    expect(chats[0]).toMatchObject({
      name: 'chat model',
      attributes: {
        'gen_ai.request.model': 'model',
        'gen_ai.response.finish_reasons': ['tool-calls'],
        'gen_ai.response.time_to_first_chunk': expect.any(Number),
        'gen_ai.usage.input_tokens': 7,
      },
    })
    expect(used.find(({ name }) => name === 'execute_tool look')?.attributes).toMatchObject({
      'gen_ai.tool.call.id': expect.stringContaining(run),
      'dragoman.tool.side': 'server',
    })
    expect(used.find(({ name }) => name === 'execute_tool stumble')).toMatchObject({
      status: { code: 2, message: 'tool-failed' },
      attributes: { 'error.type': 'tool-failed' },
    })
  })

  it('tells of a stop, which is no error, and of a model that fails, which is one', async () => {
    const waits = gate()
    model.play([step(says('Half', waits))])
    const held = await ask()
    await waits.reached
    await client(server).post(`/v1/runs/${held.run}/stop`, {})
    await held.answer.text()
    const stopped = await spansOf(held.run)
    model.play([refuses(new Error(SECRET))])
    const broken = await ask()
    await broken.answer.text()
    const failed = await spansOf(broken.run)

    expect(stopped.roots[0]).toMatchObject({ attributes: { 'dragoman.run.outcome': 'cancelled' } })
    expect([...stopped.roots, ...stopped.chats].map(({ status }) => status.code ?? 0)).toEqual([0, 0])
    expect(failed.chats[0]?.attributes).toMatchObject({ 'error.type': 'model-failed' })
    expect(failed.roots[0]?.attributes).toMatchObject({
      'error.type': 'model-failed',
      'dragoman.run.outcome': 'failed',
    })
  })

  it('goes on in the same trace after a wait, also in another process', async () => {
    model.play([step(calls('c1', 'apply', { word: SECRET })), step(says(SECRET))])
    const { run } = await ask()
    await spansOf(run)
    const metrics = async () => (await client(server).get('/metrics')).text()
    await expect.poll(metrics, { interval: 50, timeout: 10_000 }).toMatch(/^dragoman_runs_waiting 1$/m)
    expect(await metrics()).toMatch(/^dragoman_logs_unpacked 0$/m)
    expect(await metrics()).toMatch(/^dragoman_logs_overdue_seconds 0$/m)
    await server[Symbol.asyncDispose]()
    server = await open()
    const { body } = await client(server).json('GET', '/v1/questions')
    const [question] = body['questions'] as { callId: string }[]
    const answer = { kind: 'approval', approved: true }
    await client(server).post(`/v1/runs/${run}/answers`, { callId: question?.callId ?? '', answer })
    const { all, roots, tools: used } = await spansOf(run, 2)

    expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1)
    expect(roots.map(({ attributes }) => attributes['dragoman.run.outcome'])).toEqual(['waiting', 'finished'])
    expect(roots[1]?.links).toMatchObject([{ spanId: roots[0]?.spanId }])
    expect(used).toMatchObject([{ name: 'execute_tool apply', parentSpanId: roots[1]?.spanId }])
    expect(used[0]?.attributes['dragoman.tool.waited']).toBeGreaterThan(0)
  })

  it('is told by a server that closes of what it lets go of', async () => {
    const waits = gate()
    model.play([step(says('Half', waits)), step(says(' and whole.'))])
    const { run } = await ask()
    await waits.reached
    await server[Symbol.asyncDispose]()
    server = await open()
    const { roots, chats } = await spansOf(run, 2)

    expect(roots.map(({ attributes }) => attributes['dragoman.run.outcome'])).toEqual(['left', 'finished'])
    expect(chats.map(({ attributes }) => attributes['error.type'])).toEqual(['interrupted', undefined])
  })

  it('counts for Prometheus', async () => {
    const answer = await client(server).get('/metrics')
    const text = await answer.text()

    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = text.trimEnd().split('\n')
    const sample = /^[a-z_\d]+(\{([a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*)?\})? -?[\d.]+(e[+-]?\d+)?$/i
    expect(
      lines.filter((line) => line !== '' && !/^# (HELP|TYPE|UNIT) /.test(line) && !sample.test(line)),
    ).toEqual([])
    for (const name of [
      'gen_ai_client_token_usage_sum{gen_ai_operation_name="chat"',
      'gen_ai_client_operation_duration_seconds_count{',
      'dragoman_runs_ended_total{dragoman_agent="jobs",dragoman_run_outcome="finished"} ',
      'dragoman_log_append_duration_seconds_bucket{le="+Inf"} ',
      'nodejs_eventloop_delay_p99_seconds ',
      'dragoman_runs_live 0',
      'dragoman_readers 0',
    ])
      expect(text).toContain(name)
  })

  it.skipIf(isOnPostgres)('counts the reads of a log that is damaged in the file', async () => {
    model.play([step(says('Fine.'))])
    const { run, answer } = await ask()
    await answer.text()
    const metrics = async () => (await client(server).get('/metrics')).text()
    expect(await metrics()).toMatch(/^dragoman_log_damaged_total 0$/m)
    const db = new DatabaseSync(join(home, 'dragoman.db'), { timeout: 5000 })
    db.exec("UPDATE run_entries SET body = body || ' '")
    db.close()
    const events = await client(server).get(`/v1/runs/${run}/events`)
    await events.text()

    expect(await metrics()).toMatch(/^dragoman_log_damaged_total [1-9]\d*$/m)
  })

  it('says no word of what was said, no name and no key', async () => {
    const texts = house.requests.map(({ text }) => text).join('\n')

    expect(texts.length).toBeGreaterThan(1000)
    expect(texts).not.toContain(SECRET)
    expect(texts).not.toContain('local"')
    expect(await (await client(server).get('/metrics')).text()).not.toContain(SECRET)
  })

  it('goes to Langfuse with Langfuse’s key, and with nobody else’s', async () => {
    const path = '/fuse/api/public/otel/v1/traces'
    const requests = house.requests.filter((each) => each.path === path)

    expect(requests.every(({ authorization, key }) => authorization === 'Basic cGs6c2s=' && !key)).toBe(true)
    expect(
      new Set(house.requests.filter((each) => each.path === '/v1/traces').map(({ key }) => key)),
    ).toEqual(new Set(['collectors']))
    // Each collector is told in batches of its own.
    await expect.poll(() => house.spans(path).length - house.spans().length, { timeout: 10_000 }).toBe(0)
    expect(house.spans(path)[0]?.attributes).toMatchObject({
      'langfuse.session.id': expect.stringContaining('conv_'),
      'langfuse.user.id': expect.stringMatching(/^[\da-f]{16}$/),
      'langfuse.trace.name': 'jobs',
    })
  })
})
