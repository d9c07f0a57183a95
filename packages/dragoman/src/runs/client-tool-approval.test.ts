import { describe, expect, it } from 'vitest'

import type { Answer, ClientTool } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { calling } from './calling.fixture.ts'
import { request, harnesses, type RunsHarness } from './harness.fixture.ts'

const yes: Answer = { kind: 'approval', approved: true }
const no: Answer = { kind: 'approval', approved: false, reason: 'too dear' }
const output: Answer = { kind: 'output', output: { paid: 12 } }
const theirs: ClientTool = {
  name: 'pay',
  description: 'Pays from the page.',
  inputSchema: { type: 'object' },
  confirm: true,
}

describe('a client tool that needs approval', () => {
  const harness = harnesses()
  const fresh = () => ({ store: memoryStore(), notifier: memoryNotifier() })
  /** A run that has called it so many times, and waits. */
  const waiting = async (times = 1, shared = fresh()) => {
    const here = await harness(calling(...Array.from({ length: times }, () => 'pay')), shared)
    const { run } = await here.runs.start({ ...request, thread: 'chat', tools: [theirs] })
    await here.said(run.id, 'run.waiting')
    return {
      here,
      run,
      ask: (n: number, answer: Answer, there: RunsHarness = here) =>
        there.runs.answer(run, { callId: `${run.id}.${n}`, answer }, 'ada'),
    }
  }
  const outputAsked = async (here: RunsHarness, id: string, n = 1) =>
    expect
      .poll(async () => (await here.runs.soFar(await here.runs.get('ada', id))).parts[n])
      .toMatchObject({ state: 'asked', question: { kind: 'output' } })
  const words = async (here: RunsHarness, id: string) =>
    (await here.ended(id)).flatMap((event) => (event.type === 'text.delta' ? [event.delta] : [])).at(-1)

  it('asks for the approval, then for the output, in one call', async () => {
    const { here, run, ask } = await waiting()

    await ask(1, yes)
    await outputAsked(here, run.id)
    await ask(1, output)

    const events = await here.ended(run.id)
    const ofCall = events.filter((event) => 'callId' in event)
    expect(ofCall).toMatchObject([
      { type: 'tool.called' },
      { type: 'tool.asked', question: { kind: 'approval' } },
      { type: 'tool.answered', answer: yes },
      { type: 'tool.asked', question: { kind: 'output' } },
      { type: 'tool.answered', answer: output },
      { type: 'tool.returned', output: { paid: 12 } },
    ])
    expect(await words(here, run.id)).toBe('returned: {"paid":12}')
    expect(here.reports).toEqual([])
  })

  it('does not run if the user denies it', async () => {
    const { here, run, ask } = await waiting()

    await ask(1, no)

    expect(await words(here, run.id)).toBe('failed: The user did not allow pay: too dear')
    await expect(ask(1, output)).rejects.toMatchObject({ code: 'already-answered' })
  })

  it('takes no output before the approval', async () => {
    const { ask } = await waiting()

    await expect(ask(1, output)).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(ask(1, { kind: 'error', message: 'broken' })).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })

  it('takes one answer to each question, and no repeated approval as the output', async () => {
    const { here, run, ask } = await waiting()
    const first = await Promise.allSettled([ask(1, yes), ask(1, yes), ask(1, yes)])
    expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await outputAsked(here, run.id)

    const withInput = { kind: 'output', output: { approved: true, editedArgs: { n: 0 } } } as const
    const again = [yes, no, { kind: 'output', output: { approved: true } }, withInput] as const
    for (const answer of again)
      await expect(ask(1, answer)).rejects.toMatchObject({
        code: 'already-answered',
        details: { answer: yes },
      })
    const second = await Promise.allSettled([ask(1, output), ask(1, output)])

    expect(second.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await words(here, run.id)).toBe('returned: {"paid":12}')
  })

  it('waits beside other calls, which are answered in any order', async () => {
    const { here, run, ask } = await waiting(3)
    await ask(2, no)
    await ask(1, yes)
    await ask(3, yes)
    await outputAsked(here, run.id, 1)
    await outputAsked(here, run.id, 3)

    await ask(3, { kind: 'output', output: 'third' })
    await ask(1, { kind: 'output', output: 'first' })

    expect(await words(here, run.id)).toBe(
      'returned: first | failed: The user did not allow pay: too dear | returned: third',
    )
  })

  it('survives a crash between the two questions', async () => {
    const shared = fresh()
    const { here, run, ask } = await waiting(1, shared)
    await here.runs.close()
    // Nobody is there who could ask again.
    await ask(1, yes)
    const there = await harness(calling('pay'), shared)
    await outputAsked(there, run.id)
    await there.runs.close()

    const last = await harness(calling('pay'), shared)
    await ask(1, output, last)

    expect(await words(last, run.id)).toBe('returned: {"paid":12}')
    expect((await last.types(run.id)).filter((type) => type === 'tool.asked')).toHaveLength(2)
  })
})
