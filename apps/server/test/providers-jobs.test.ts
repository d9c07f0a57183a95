import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Server, Json } from '../../../packages/dragoman/src/index.ts'
import { openServer } from '../src/main.ts'
import { framesOf } from '../../../test/support/event-stream.ts'
import { eveRequest } from '../../../agents/jobs/test/support/eve-request.ts'
import { jobsProvider, type JobsProvider } from '../../../agents/jobs/test/support/jobs-provider.ts'
import {
  HONEST,
  INVENTED,
  postingNumber,
  RESUME,
  rewritten,
} from '../../../agents/jobs/test/support/seeker.ts'
import { ask } from '../../../test/support/wire.ts'
import { postJson } from '../../../test/support/http.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'

const makers = [
  ['Anthropic', 'ANTHROPIC', '/v1/messages'],
  ['a server that speaks chat completions', 'OPENAI', '/v1/chat/completions'],
] as const
const ways = ['pi', 'default'].flatMap((engine) =>
  makers.map(([name, prefix, path]) => ({ engine, name, prefix, path })),
)

/**
 * The real packages of the providers, over HTTP: the agent calls by itself, and what it calls asks a model of its own
 * accord.
 */
describe.each(ways)('the engine $engine with $name', ({ engine, prefix, path }) => {
  let home: string
  let provider: JobsProvider
  let dragoman: Server
  let url: string
  beforeEach(async () => {
    home = await createTempDir()
    provider = await jobsProvider()
    await mkdir(join(home, 'agents/jobs'), { recursive: true })
    await writeFile(join(home, 'agents/jobs/agent.json'), JSON.stringify({ engine }))
    const env = { [`${prefix}_BASE_URL`]: provider.url, [`${prefix}_API_KEY`]: 'sk-right-1234' }
    dragoman = await openServer(['--port', '0', '--home', home, '--log-level', 'silent'], env)
    url = await dragoman.listen()
    await send('/jobs/resumes', { content: RESUME, name: 'Ada' })
    await send('/jobs', postingNumber(1))
  })
  afterEach(async () => {
    await dragoman.close()
    await provider[Symbol.asyncDispose]()
  })

  const get = async (at: string) => (await ask(url, { path: at })).json
  const send = async (at: string, body: Json) => (await ask(url, { method: 'POST', path: at, body })).json
  const post = (at: string, body: Json): Promise<Response> => postJson(`${url}${at}`, body)
  const whole = (what: string) => send('/jobs/chat', eveRequest(what, { stream: false }))

  it('analyzes a posting with the same provider, and counts its usage', async () => {
    provider.play({ name: 'jobs_analyze_single', input: { jobId: 1 } })

    const answer = await whole('does it fit me?')

    expect(answer).toMatchObject({
      content: 'Done.',
      toolCalls: [{ toolName: 'jobs_analyze_single', state: 'result' }],
      usage: { promptTokens: 30, completionTokens: 9 },
    })
    expect(JSON.stringify(answer['toolCalls'])).toContain('82/100')
    expect(provider.paths()).toEqual([path, path, path])
    expect(provider.questions).toEqual([expect.stringContaining('You know Go and PostgreSQL')])
    const { engine: driver, model } = await get('/jobs/status')
    const { analysis } = await get('/jobs/1')
    expect(driver).toBe(engine)
    expect(analysis).toMatchObject({ overallScore: 82, model })
  })

  it('tailors a resume, and marks invented claims after one retry', async () => {
    provider.play({ name: 'jobs_tailor', input: { jobId: 1 } })
    provider.answer(() => rewritten(INVENTED))

    const answer = await whole('tailor my resume')

    expect(answer).toMatchObject({
      content: 'Done.',
      toolCalls: [{ toolName: 'jobs_tailor', state: 'result' }],
      usage: { promptTokens: 40, completionTokens: 12 },
    })
    expect(JSON.stringify(answer['toolCalls'])).toContain('Rust')
    expect(provider.questions).toHaveLength(2)
    expect(await get('/jobs/tailor/1/versions/1')).toMatchObject({
      version: { isLatest: true, truth: { marks: [{ kind: 'fabricated_skill', said: 'Rust' }] } },
    })
  })

  it('creates another version only after an approval', async () => {
    provider.answer(() => rewritten(HONEST))
    await send('/jobs/tailor/1', {})
    provider.play({ name: 'jobs_tailor', input: { jobId: 1, forceNew: true } })
    const versions = async () => ((await get('/jobs/tailor/1/versions'))['versions'] as Json[]).length

    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'make another' }] }
    const response = await post('/jobs/chat', {
      id: 'chat-1',
      trigger: 'submit-message',
      messages: [message],
    })
    const run = String(response.headers.get('x-run-id'))
    const wire = await response.text()
    const { questions } = (await get('/v1/questions')) as { questions: { callId: string }[] }
    const callId = questions[0]?.callId ?? ''

    expect(wire).toContain('"type":"tool-approval-request"')
    expect(wire).toContain(callId)
    expect(questions).toMatchObject([
      { runId: run, tool: 'jobs_tailor', kind: 'approval', input: { forceNew: true } },
    ])
    expect([await versions(), provider.questions.length]).toEqual([1, 1])
    await send(`/v1/runs/${run}/answers`, { callId, answer: { kind: 'approval', approved: true } })
    const frames = framesOf(Buffer.from((await ask(url, { path: `/v1/runs/${run}/events` })).text))
    expect(frames.at(-1)).toMatchObject({ type: 'run.finished', usage: { inputTokens: 30, outputTokens: 9 } })
    expect([await versions(), provider.questions.length]).toEqual([2, 2])
  })
})
