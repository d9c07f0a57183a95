import { describe, expect, it } from 'vitest'

import { memoryStore } from '../stores/memory/index.ts'
import { dead, request, harnesses, untilAborted } from './harness.fixture.ts'

const HELP = 'Please call somebody.'
const inputGuardrail = async ({ message }: { message: readonly object[] }) =>
  JSON.stringify(message).includes('danger') ? { text: HELP } : undefined
const words = (text: string) => ({ message: { parts: [{ type: 'text', text }] as const } })

describe('an input guardrail', () => {
  const harness = harnesses()

  it('answers in place of the engine, in a run like any other', async () => {
    const { runs, ended, reports } = await harness(() => Promise.reject(new Error('The engine was asked.')), {
      inputGuardrail,
      toolsFor: () => Promise.reject(new Error('Tools were asked for.')),
      outputGuardrail: () => Promise.reject(new Error('A review was asked for.')),
    })

    const { run } = await runs.start({ ...request, ...words('danger') })
    const events = await ended(run.id)

    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'step.started',
      'text.started',
      'text.delta',
      'text.ended',
      'step.finished',
      'run.finished',
    ])
    expect(events).toContainEqual(expect.objectContaining({ type: 'text.delta', delta: HELP }))
    expect(reports).toEqual([])
  })

  it('leaves other messages to the engine', async () => {
    const { runs, types } = await harness(async () => undefined, { inputGuardrail })

    const { run } = await runs.start({ ...request, ...words('hi') })

    expect(await types(run.id)).toEqual(['run.started', 'run.finished'])
    expect(run.request).not.toHaveProperty('answer')
  })

  it('interrupts the run that goes on, whatever the policy', async () => {
    const { runs, ended } = await harness((_job, host) => untilAborted(host), { inputGuardrail })
    const first = await runs.start({ ...request, thread: 'chat', ...words('hi') })

    const second = await runs.start({ ...request, thread: 'chat', policy: 'reject', ...words('danger') })

    expect((await ended(first.run.id)).at(-1)).toMatchObject({ type: 'run.cancelled' })
    expect((await ended(second.run.id)).at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('writes only the rest of its answer after a crash', async () => {
    const store = memoryStore()
    const before = await harness(async () => undefined, { store, inputGuardrail })
    const { run } = await before.runs.start({ ...request, ...words('hi') })
    await before.ended(run.id)
    await store.create(
      { ...run, id: 'run_2', messageId: 'msg_2', request: { ...run.request, answer: HELP } },
      'reject',
      dead,
    )
    await store.append(
      'run_2',
      [
        { type: 'step.started', model: 'guardrail' },
        { type: 'text.started', partId: 'run_2.1' },
        { type: 'text.delta', partId: 'run_2.1', delta: 'Please ' },
      ],
      { epoch: 1 },
    )

    const { ended } = await harness(() => Promise.reject(new Error('The engine was asked.')), { store })
    const events = await ended('run_2')

    const deltas = events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : []))
    expect(deltas).toEqual(['Please ', 'call somebody.'])
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
  })
})
