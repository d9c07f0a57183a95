import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type Tool } from '../agents/index.ts'
import type { Answer, Json, PatchOperation, RunEvent } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { calling } from './calling.fixture.ts'
import { called, dead, executing, request, harnesses, step, type RunsHarness } from './harness.fixture.ts'
import { sharedState, stateOf } from './shared-state.ts'

const yes: Answer = { kind: 'approval', approved: true }

describe('the shared state', () => {
  const harness = harnesses()
  const states: Json[] = []
  const changing = (name: string, patch: (n: number) => PatchOperation[], more: object = {}): Tool =>
    defineTool({
      name,
      description: name,
      inputSchema: z.object({ n: z.number() }),
      async execute({ n }, { state }) {
        states.push(state.current())
        state.change(patch(n))
        return toolResult({ output: n, text: `${name} done` })
      },
      ...more,
    })
  const note = changing('note', (n) => [{ op: 'add', path: '/notes/-', value: n }])
  const noteAgain = changing('note-again', (n) => [{ op: 'add', path: '/notes/-', value: n }], {
    idempotent: true,
  })
  const pay = changing('pay', () => [{ op: 'add', path: '/paid', value: true }], { needsApproval: true })
  const fresh = () => ({ store: memoryStore(), notifier: memoryNotifier() })
  const start = { ...request, state: { notes: [] } }
  const stateAfter = async (here: RunsHarness, id: string) =>
    stateOf(await here.runs.get('ada', id), await here.ended(id))
  const failures = async (here: RunsHarness, id: string) =>
    (await here.ended(id)).flatMap((event) => (event.type === 'tool.failed' ? [event.failure.message] : []))

  it('takes the changes of concurrent calls in order, before their outcomes', async () => {
    const here = await harness(calling('note', 'note', 'note'), { ...fresh(), tools: [note] })
    const { run } = await here.runs.start(start)

    const events = await here.ended(run.id)
    const types = events.map(({ type }) => type)
    expect(await stateAfter(here, run.id)).toEqual({ notes: [0, 1, 2] })
    expect(types.filter((type) => type === 'state.changed')).toHaveLength(3)
    for (const [index, type] of types.entries())
      if (type === 'tool.returned')
        expect(types.slice(0, index).filter((before) => before === 'state.changed').length).toBeGreaterThan(
          types.slice(0, index).filter((before) => before === 'tool.returned').length,
        )
  })

  it('survives a suspension, in another process too', async () => {
    const shared = fresh()
    const here = await harness(calling('note', 'pay'), { ...shared, tools: [note, pay] })
    const { run } = await here.runs.start(start)
    await here.said(run.id, 'run.waiting')
    await here.runs.close()
    states.length = 0

    const there = await harness(calling(), { ...shared, tools: [note, pay] })
    await there.runs.answer(run, { callId: `${run.id}.2`, answer: yes }, 'ada')

    expect(await stateAfter(there, run.id)).toEqual({ notes: [0], paid: true })
    expect(states).toEqual([{ notes: [0] }])
  })

  it('survives a crash, and a repeated tool reads it', async () => {
    const { store, notifier } = fresh()
    const { messageId, input } = { messageId: 'msg_u', input: [{ type: 'text', text: 'hi' }] as const }
    await store.create(
      {
        id: 'run_1',
        threadId: 'conv_1',
        userId: 'ada',
        agent: 'dice',
        messageId: 'msg_1',
        request: { messageId, input, context: {}, tools: [], state: { notes: [] } },
        reply: { protocol: 'native', view: {} },
        onCrash: 'continue',
      },
      'reject',
      dead,
    )
    const half: PatchOperation[] = [{ op: 'add', path: '/notes/-', value: 'half' }]
    const events = [
      step.started,
      called(1, 'note-again'),
      executing(1),
      { type: 'state.changed', patch: half },
    ]
    await store.append('run_1', events as Parameters<typeof store.append>[1], { epoch: 1 })
    states.length = 0

    const here = await harness(calling(), { store, notifier, tools: [noteAgain] })

    expect(await stateAfter(here, 'run_1')).toEqual({ notes: ['half', 1] })
    expect(states).toEqual([{ notes: ['half'] }])
  })

  it('is set by the client while the run waits, and no answer is lost', async () => {
    const shared = fresh()
    const here = await harness(calling('pay', 'pay'), { ...shared, tools: [pay] })
    const { run } = await here.runs.start(start)
    await here.said(run.id, 'run.waiting')
    states.length = 0
    const page = { notes: ['page'] }
    const back = async (call: number): Promise<void> => {
      await here.runs.share(run, page, 'ada')
      await here.runs.answer(run, { callId: `${run.id}.${call}`, answer: yes }, 'ada')
    }

    await here.runs.share(run, start.state, 'ada')
    await Promise.all([back(1), back(2)])

    expect(await stateAfter(here, run.id)).toEqual({ notes: ['page'], paid: true })
    expect(states[0]).toEqual(page)
    const events = await here.ended(run.id)
    const set = { type: 'state.changed', patch: [{ op: 'replace', path: '', value: page }], by: 'ada' }
    expect(events.filter((event) => event.type === 'state.changed' && event.by)).toEqual([set])
    expect(events.filter(({ type }) => type === 'tool.answered')).toHaveLength(2)
    await here.runs.share(run, { late: true }, 'ada')
    expect(await here.ended(run.id)).toEqual(events)
    expect(here.reports).toEqual([])
  })

  it('refuses a state that is too large, and stays as it is after a stop', async () => {
    const here = await harness(calling('pay'), { ...fresh(), tools: [pay] })
    const { run } = await here.runs.start(start)
    await here.said(run.id, 'run.waiting')

    await expect(here.runs.share(run, 'x'.repeat(70_000), 'ada')).rejects.toThrow('state: must be at most')
    await Promise.all([here.runs.share(run, { n: 1 }, 'ada'), here.runs.stop(run, 'ada')])

    expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
    expect([{ n: 1 }, start.state]).toContainEqual(await stateAfter(here, run.id))
  })

  it('equals the log’s state for the tools, in any order of changes', () => {
    const act = fc.constantFrom(...(['tool', 'client', 'commit', 'hear', 'hear all'] as const))
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const log: RunEvent[] = []
        const events: RunEvent[] = []
        let appendCount = 0
        const state = sharedState({ notes: [] })
        const write = (event: RunEvent) => events.push(event) > 0
        const take = (count: number): void => {
          for (const event of log.slice(appendCount, appendCount + count))
            if (event.type === 'state.changed') state.take(event)
          appendCount = Math.min(log.length, appendCount + count)
        }
        for (const [n, what] of [...acts, 'commit', 'hear all'].entries()) {
          if (what === 'tool') state.change([{ op: 'add', path: '/notes/-', value: n }], write)
          if (what === 'client')
            log.push({
              type: 'state.changed',
              patch: [{ op: 'replace', path: '', value: { notes: [`${n}`] } }],
              by: 'ada',
            })
          if (what === 'commit') log.push(...events.splice(0))
          if (what === 'hear') take(1)
          if (what === 'hear all') take(log.length)
        }
        expect(state.current()).toEqual(
          stateOf(
            { request: { messageId: 'm', input: [], context: {}, tools: [], state: { notes: [] } } },
            log,
          ),
        )
      }),
    )
  })

  it('takes 20,000 changes before the log has returned one, each of which is applied twice', () => {
    const events: RunEvent[] = []
    const state = sharedState({ n: -1 })
    for (let n = 0; n < 20_000; n += 1)
      state.change([{ op: 'replace', path: '/n', value: n }], (event) => events.push(event) > 0)
    for (const event of events) if (event.type === 'state.changed') state.take(event)

    expect(events).toHaveLength(20_000)
    expect(state.current()).toEqual({ n: 19_999 })
  })

  it.each([
    [
      [{ op: 'replace', path: '/absent', value: 1 }],
      'The patch does not fit the state: 0: replace /absent is not there.',
    ],
    [
      [{ op: 'add', path: '/__proto__', value: 1 }],
      'The patch does not fit the state: 0: add /__proto__ may not name __proto__.',
    ],
    [[{ op: 'add', path: '/x', value: 'x'.repeat(70_000) }], 'The state would be larger than 64 KB of JSON.'],
  ] as const)('is not changed by what does not fit: the call fails with %#', async (patch, failure) => {
    const here = await harness(calling('break'), { ...fresh(), tools: [changing('break', () => [...patch])] })
    const { run } = await here.runs.start(start)

    expect(await failures(here, run.id)).toEqual([failure])
    expect(await stateAfter(here, run.id)).toEqual({ notes: [] })
    expect(here.reports).toEqual([])
  })

  it('is null if the client shares nothing, and the agent may begin it', async () => {
    const set = changing('set', (n) => [{ op: 'replace', path: '', value: { n } }])
    states.length = 0
    const here = await harness(calling('set'), { ...fresh(), tools: [set] })
    const { run } = await here.runs.start(request)

    expect(await stateAfter(here, run.id)).toEqual({ n: 0 })
    expect(states).toEqual([null])
  })

  it.each<[string, PatchOperation[]]>([
    ['at its end', []],
    ['on its way', [{ op: 'test', path: '', value: null }]],
    ['only on its way', [{ op: 'remove', path: '/a0' }]],
  ])('refuses patches that copy the state into itself: %s', (_where, more) => {
    const copies = Array.from({ length: 90 }, (_, n) => ({ op: 'copy', from: '', path: `/a${n}` }) as const)
    const appended: object[] = []
    const state = sharedState({ notes: [] })
    const write = (event: object) => appended.push(event) > 0

    expect(() => state.change([...copies, ...more], write)).toThrow(
      'The state would be larger than 64 KB of JSON.',
    )
    expect([state.current(), appended]).toEqual([{ notes: [] }, []])
  })
})
