import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type ServerTool } from '../agent/index.ts'
import type { Answer, Json, PatchOperation } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { calling } from './calling.fixture.ts'
import { called, dead, executing, request, rigs, step, type RunsRig } from './rig.fixture.ts'
import { stateOf } from './shared-state.ts'

const yes: Answer = { kind: 'approval', approved: true }

describe('what agent and client share', () => {
  const rig = rigs()
  const seen: Json[] = []
  const changing = (name: string, patch: (n: number) => PatchOperation[], more: object = {}): ServerTool =>
    defineTool({
      name,
      description: name,
      input: z.object({ n: z.number() }),
      async execute({ n }, { state }) {
        seen.push(state.current())
        state.change(patch(n))
        return { output: n, text: `${name} done` }
      },
      ...more,
    })
  const note = changing('note', (n) => [{ op: 'add', path: '/notes/-', value: n }])
  const noteAgain = changing('note-again', (n) => [{ op: 'add', path: '/notes/-', value: n }], {
    idempotent: true,
  })
  const pay = changing('pay', () => [{ op: 'add', path: '/paid', value: true }], { approval: 'always' })
  const fresh = () => ({ store: memoryStore(), notifier: memoryNotifier() })
  const begun = { ...request, state: { notes: [] } }
  const stateAfter = async (here: RunsRig, id: string) =>
    stateOf(await here.runs.get('ada', id), await here.ended(id))
  const failures = async (here: RunsRig, id: string) =>
    (await here.ended(id)).flatMap((event) => (event.type === 'tool.failed' ? [event.failure.message] : []))

  it('is changed by calls beside each other, one after another, before each has its outcome', async () => {
    const here = await rig(calling('note', 'note', 'note'), { ...fresh(), tools: [note] })
    const { run } = await here.runs.start(begun)

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

  it('survives a wait, in another process too', async () => {
    const shared = fresh()
    const here = await rig(calling('note', 'pay'), { ...shared, tools: [note, pay] })
    const { run } = await here.runs.start(begun)
    await here.said(run.id, 'run.waiting')
    await here.runs.close()
    seen.length = 0

    const there = await rig(calling(), { ...shared, tools: [note, pay] })
    await there.runs.answer(run, { callId: `${run.id}.2`, answer: yes }, 'ada')

    expect(await stateAfter(there, run.id)).toEqual({ notes: [0], paid: true })
    expect(seen).toEqual([{ notes: [0] }])
  })

  it('survives a crash: what was written stands, and what is run again finds it', async () => {
    const { store, notifier } = fresh()
    const { messageId, input } = { messageId: 'msg_u', input: [{ type: 'text', text: 'hi' }] as const }
    await store.create(
      {
        id: 'run_1',
        threadId: 'conv_1',
        userId: 'ada',
        agent: 'jobs',
        messageId: 'msg_1',
        request: { messageId, input, context: {}, tools: [], state: { notes: [] } },
        reply: { protocol: 'native', view: {} },
        onCrash: 'continue',
      },
      'reject',
      dead,
    )
    const half: PatchOperation[] = [{ op: 'add', path: '/notes/-', value: 'half' }]
    const left = [step.started, called(1, 'note-again'), executing(1), { type: 'state.changed', patch: half }]
    await store.append('run_1', left as Parameters<typeof store.append>[1], { epoch: 1 })
    seen.length = 0

    const here = await rig(calling(), { store, notifier, tools: [noteAgain] })

    expect(await stateAfter(here, 'run_1')).toEqual({ notes: ['half', 1] })
    expect(seen).toEqual([{ notes: ['half'] }])
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
    const here = await rig(calling('break'), { ...fresh(), tools: [changing('break', () => [...patch])] })
    const { run } = await here.runs.start(begun)

    expect(await failures(here, run.id)).toEqual([failure])
    expect(await stateAfter(here, run.id)).toEqual({ notes: [] })
    expect(here.reports).toEqual([])
  })

  it('is nothing where the client shares nothing, and may be begun by the agent', async () => {
    const set = changing('set', (n) => [{ op: 'replace', path: '', value: { n } }])
    seen.length = 0
    const here = await rig(calling('set'), { ...fresh(), tools: [set] })
    const { run } = await here.runs.start(request)

    expect(await stateAfter(here, run.id)).toEqual({ n: 0 })
    expect(seen).toEqual([null])
  })
})
