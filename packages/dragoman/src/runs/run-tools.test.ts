import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type EngineJob } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { Answer, Json } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { openSqlite } from '../stores/sqlite/index.ts'
import { calling } from './calling.fixture.ts'
import type { ResolvedAgent } from './ports.ts'
import { request, harnesses, type RunsHarness } from './harness.fixture.ts'

const SECRET = 'Bearer sesame-9f31'
const yes: Answer = { kind: 'approval', approved: true }

describe('the tools of one run', () => {
  /** What is closed when the harnesses are. */
  const closed: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closed.splice(0)) await close()
  })
  const harness = harnesses()
  const ran: Json[] = []
  const remote = defineTool({
    name: 'remote',
    description: 'Asks elsewhere.',
    inputSchema: z.object({ n: z.number() }),
    needsApproval: true,
    execute: async (_input, { userId }) => {
      ran.push(userId)
      return toolResult({ output: null, text: 'remote done' })
    },
  })
  /** Found only by who has the header for it. */
  const found = (findTools: Json[]): NonNullable<ResolvedAgent['toolsFor']> => {
    return async ({ secrets, userId }) => {
      findTools.push({ secrets, userId })
      return secrets === null ? { tools: [], notes: ['No header.'] } : { tools: [remote], notes: [] }
    }
  }
  const fresh = () => ({ store: memoryStore(), notifier: memoryNotifier() })
  const words = async (here: RunsHarness, id: string) =>
    (await here.ended(id)).flatMap((event) => (event.type === 'text.delta' ? [event.delta] : [])).at(-1)
  const asking = { ...request, secrets: { authorization: SECRET } }

  it('are offered and called, also after an approval', async () => {
    ran.length = 0
    const requests: Json[] = []
    const here = await harness(calling('remote'), { ...fresh(), toolsFor: found(requests) })
    const { run } = await here.runs.start(asking)
    await here.said(run.id, 'run.waiting')

    await here.runs.answer(run, { callId: `${run.id}.1`, answer: yes }, 'ada')

    expect(await words(here, run.id)).toBe('returned: remote done')
    expect(ran).toEqual(['ada'])
    const once = { secrets: { authorization: SECRET }, userId: 'ada' }
    expect(requests).toEqual([once, once])
  })

  it('fail the run if their schema has no JSON form', async () => {
    const dated = defineTool({ ...remote, inputSchema: z.object({ when: z.date() }), needsApproval: false })
    const here = await harness(calling('remote'), {
      ...fresh(),
      toolsFor: async () => ({ tools: [dated], notes: [] }),
    })

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events.slice(1)).toMatchObject([
      {
        type: 'run.failed',
        failure: {
          code: 'internal',
          message:
            'The inputSchema of the tool "remote" has no JSON form: Date cannot be represented in ' +
            'JSON Schema. Use only types that JSON has.',
        },
      },
    ])
  })

  it('are resolved again by another process, which has no secrets', async () => {
    ran.length = 0
    const shared = fresh()
    const here = await harness(calling('remote'), { ...shared, toolsFor: found([]) })
    const { run } = await here.runs.start(asking)
    await here.said(run.id, 'run.waiting')
    await here.runs.close()

    const requests: Json[] = []
    const there = await harness(calling('remote'), { ...shared, toolsFor: found(requests) })
    await there.runs.answer(run, { callId: `${run.id}.1`, answer: yes }, 'ada')

    expect(await words(there, run.id)).toBe('failed: There is no tool named remote.')
    expect(requests).toEqual([{ secrets: null, userId: 'ada' }])
    expect(ran).toEqual([])
  })

  it('return with an answer that brings the secrets again', async () => {
    const shared = fresh()
    const here = await harness(calling('remote'), { ...shared, toolsFor: found([]) })
    const { run } = await here.runs.start(asking)
    await here.said(run.id, 'run.waiting')
    await here.runs.close()

    const there = await harness(calling('remote'), { ...shared, toolsFor: found([]) })
    const answer = { callId: `${run.id}.1`, answer: yes, secrets: asking.secrets }
    await there.runs.answer(run, answer, 'ada')

    expect(await words(there, run.id)).toBe('returned: remote done')
  })

  it('are left out if they cannot be resolved, with a note in the instructions', async () => {
    const jobs: EngineJob[] = []
    const here = await harness(async (job) => void jobs.push(job), {
      ...fresh(),
      toolsFor: () => Promise.reject(new Error('ECONNREFUSED 10.0.0.7')),
    })
    const { run } = await here.runs.start(request)

    expect((await here.types(run.id)).at(-1)).toBe('run.finished')
    expect(jobs[0]?.agent.instructions).toContain('Some of your tools cannot be reached now.')
    expect(jobs[0]?.agent.instructions).not.toContain('ECONNREFUSED')
    expect(here.reports).toHaveLength(1)
  })

  it('do not delay a stop while they are resolved', async () => {
    const looking = Promise.withResolvers<void>()
    const here = await harness(calling('remote'), {
      ...fresh(),
      toolsFor: () => {
        looking.resolve()
        return new Promise(() => undefined)
      },
    })
    const { run } = await here.runs.start(request)
    await looking.promise

    await here.runs.stop(run, 'ada')

    expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
    expect(here.reports).toEqual([])
  })

  it('are written nowhere, nor are their secrets', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
    const { store, notifier } = openSqlite(join(folder, 'a.db'))
    closed.push(async () => {
      await store[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    })
    const here = await harness(calling('remote'), { store, notifier, toolsFor: found([]) })
    const { run } = await here.runs.start({ ...asking, key: 'run:dice/x:1' })
    await here.said(run.id, 'run.waiting')
    const answer = { callId: `${run.id}.1`, answer: yes, secrets: asking.secrets }
    await here.runs.answer(run, answer, 'ada')
    await here.ended(run.id)

    const files = await readdir(folder)
    const held = await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))
    expect(held.join('')).toContain('remote done')
    expect(held.join('')).not.toContain(SECRET)
    expect(JSON.stringify(here.reports)).not.toContain(SECRET)
  })
})

describe('a briefing', () => {
  const harness = harnesses()
  const fresh = () => ({ store: memoryStore(), notifier: memoryNotifier() })

  it('may be asynchronous, and gets the run’s tools and state', async () => {
    const jobs: EngineJob[] = []
    const here = await harness(async (job) => void jobs.push(job), {
      ...fresh(),
      agent: {
        runInstructions: async ({ context, tools, state }) =>
          Promise.resolve(`Told of ${JSON.stringify({ context, tools, state })}.`),
      },
    })
    const tools = [{ name: 'locate', description: '', inputSchema: {} }]
    const { run } = await here.runs.start({ ...request, context: { city: 'Oslo' }, state: { n: 1 }, tools })
    await here.ended(run.id)

    expect(jobs[0]?.agent.instructions).toBe(
      'You are tested.\n\nTold of {"context":{"city":"Oslo"},"tools":["locate"],"state":{"n":1}}.',
    )
  })

  it.each([
    [new Error('no such table: secrets'), 'internal'],
    [new ServiceError('invalid-input', 'There is no city.'), 'invalid-input'],
  ])('fails its run with %s', async (thrown, code) => {
    const here = await harness(calling(), {
      ...fresh(),
      agent: {
        runInstructions: () => Promise.reject(thrown),
      },
    })
    const { run } = await here.runs.start(request)

    const last = (await here.ended(run.id)).at(-1)
    expect(last).toMatchObject({ type: 'run.failed', failure: { code } })
    expect(JSON.stringify(last)).not.toContain('no such table')
  })
})
