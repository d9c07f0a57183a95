import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type ToolDefinition, type ToolPreview } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { Answer } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { calling } from './calling.fixture.ts'
import { request, harnesses } from './harness.fixture.ts'

type Preview = NonNullable<ToolDefinition<{ n: number }, string>['preview']>

const yes: Answer = { kind: 'approval', approved: true }

describe('the preview of a call', () => {
  const harness = harnesses()
  const bases: (string | undefined)[] = []

  const waiting = async (preview: Preview, stores = fresh()) => {
    bases.length = 0
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      inputSchema: z.object({ n: z.number() }),
      needsApproval: true,
      preview,
      execute: (_input, { basis }) => {
        bases.push(basis)
        return 'written'
      },
    })
    const here = await harness(calling('write'), { ...stores, tools: [write] })
    const { run } = await here.runs.start({ ...request, thread: 'chat' })
    await here.said(run.id, 'run.waiting')
    const entries = await here.store.read(run.id, 0)
    const [question] = entries.flatMap(({ event }) => (event.type === 'tool.asked' ? [event.question] : []))
    return {
      here,
      run,
      question,
      answer: (answer: Answer) => here.runs.answer(run, { callId: `${run.id}.1`, answer }, 'ada'),
    }
  }
  const fresh = () => ({ store: memoryStore(), notifier: memoryNotifier() })
  const diff: ToolPreview = { title: 'a.txt', format: 'diff', text: '-a\n+b\n', basis: 'as it was' }

  it('is in the log with its question, and the tool gets its basis back', async () => {
    const { here, run, question, answer } = await waiting(({ n }) => ({ ...diff, title: `${n}.txt` }))

    expect(question).toMatchObject({
      preview: { title: '0.txt', format: 'diff', text: '-a\n+b\n' },
      basis: 'as it was',
    })
    await answer(yes)
    await here.ended(run.id)
    expect(bases).toEqual(['as it was'])
  })

  it('counts for the input that it showed, not for one that the user wrote', async () => {
    const { here, run, answer } = await waiting(() => diff)

    await answer({ ...yes, input: { n: 7 } })

    await here.ended(run.id)
    expect(bases).toEqual([undefined])
  })

  it('counts for an input that the answer repeats', async () => {
    const { here, run, answer } = await waiting(() => diff)

    await answer({ ...yes, input: { n: 0 } })

    await here.ended(run.id)
    expect(bases).toEqual(['as it was'])
    const answers = (await here.store.read(run.id, 0)).flatMap(({ event }) =>
      event.type === 'tool.answered' ? [event.answer] : [],
    )
    expect(answers).toEqual([yes])
  })

  it.each([
    ['fails', () => Promise.reject(new ServiceError('not-found', 'a.txt is gone.')), 'a.txt is gone.'],
    ['is wrong', () => ({ format: 'html' }) as never, 'write failed inside the server.'],
  ])('that %s says so, and the tool knows that nothing was shown', async (_how, preview, problem) => {
    const { here, run, question, answer } = await waiting(preview)

    expect(question).toMatchObject({ preview: { format: 'text', text: '', problem }, basis: '' })
    await answer(yes)
    await here.ended(run.id)
    expect(bases).toEqual([''])
  })

  it('of any length is cut after a whole line', async () => {
    const { question } = await waiting(() => ({ format: 'text', text: `${'x'.repeat(99)}\n`.repeat(1000) }))

    expect(question?.preview?.text.length).toBe(32_700)
    expect(question?.preview?.isCut).toBe(true)
  })

  it('of one long line shows its beginning', async () => {
    const { question } = await waiting(() => ({ format: 'text', text: 'x'.repeat(100_000) }))

    expect(question?.preview).toMatchObject({ text: 'x'.repeat(32_768), isCut: true })
  })
})
