import { beforeEach, describe, expect, it, vi } from 'vitest'

import { gate } from '../../../../test/support/gate.ts'
import { breakOff } from '../../../../packages/dragoman/src/testing/script.ts'
import { says, scriptedModel, step, type Script, type Step } from '../../../../test/support/scripted-model.ts'
import { ServiceError } from 'dragoman/errors'
import { unmeteredModel } from '../../../../packages/dragoman/src/models/unmetered-model.fixture.ts'
import { setUp } from '../jobs.fixture.ts'
import { answers, POSTING, putResume } from './judging.fixture.ts'

const scripted = scriptedModel()
const model = unmeteredModel(() => scripted.models.choose({ primary: '', fallback: '' }))
let made: Awaited<ReturnType<typeof setUp>>

beforeEach(async () => {
  made = await setUp({ model: () => model })
  await putResume(made.db)
})

async function put(...titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await made.call('', { ...POSTING, title, url: `https://northwind.example/jobs/${title}` })
  }
}

type Frame = Readonly<Record<string, unknown>>

async function run(
  script: Script,
  body: unknown = {},
): Promise<{ readonly status: number; readonly frames: readonly Frame[] }> {
  scripted.play(script)
  const response = await made.app.request('/jobs/analyze', { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, frames: framesOf(await response.text()) }
}

function framesOf(text: string): readonly Frame[] {
  return text.match(/(?<=^data: ).*$/gm)?.map((line) => JSON.parse(line) as Frame) ?? []
}

function titleIn(prompt: unknown): string {
  return /Title: (\w+)/.exec(JSON.stringify(prompt))?.[1] ?? ''
}

/** Answers for each posting by its title, whichever is asked about first. */
function byTitle(steps: Readonly<Record<string, Step>>): Script {
  return Array.from({ length: 20 }, () => (prompt: unknown) => steps[titleIn(prompt)] ?? answers())
}

async function judged(): Promise<readonly number[]> {
  const rows = await made.db.selectFrom('job_analysis').select('job_id').orderBy('job_id').execute()
  return rows.map(({ job_id }) => job_id)
}

describe('POST /jobs/analyze', () => {
  it('judges new postings, inbox first, and reports each', async () => {
    await put('One', 'Two', 'Three', 'Four')
    await made.db.updateTable('jobs').set({ status: 'applied' }).where('title', '=', 'Four').execute()
    await made.db.updateTable('jobs').set({ status: 'rejected' }).where('title', '=', 'Two').execute()
    const { status, frames } = await run(byTitle({ One: answers({ overallScore: 70 }) }), { limit: 2 })

    expect(status).toBe(200)
    expect(frames).toHaveLength(3)
    expect(frames).toContainEqual({
      type: 'progress',
      status: 'processing',
      done: expect.any(Number),
      total: 2,
      jobId: 1,
      title: 'One',
      score: 70,
      verdict: 'High',
      error: null,
    })
    expect(frames[2]).toEqual({
      type: 'complete',
      status: 'complete',
      processed: 2,
      analyzed: 2,
      cached: 0,
      skipped: [],
      errors: [],
    })
    expect(await judged()).toEqual([1, 3])

    expect((await run(byTitle({}))).frames.at(-1)).toMatchObject({ processed: 1, analyzed: 1 })
    expect((await run([])).frames).toEqual([
      expect.objectContaining({ type: 'complete', processed: 0, analyzed: 0 }),
    ])
  })

  it('reports postings without a description as skipped', async () => {
    await put('One')
    await made.call('', { ...POSTING, title: 'Bare', url: 'https://northwind.example/bare', description: '' })

    expect((await run(byTitle({}))).frames.at(-1)).toMatchObject({
      processed: 1,
      analyzed: 1,
      skipped: [
        {
          jobId: 2,
          title: 'Bare',
          reason: 'The posting 2 has no description to judge: read its page in first.',
        },
      ],
    })
  })

  it('continues after a failed posting', async () => {
    await put('One', 'Two', 'Three')
    const { frames } = await run(byTitle({ Two: new Error('line lost') }))

    expect(frames.at(-1)).toMatchObject({
      processed: 3,
      analyzed: 2,
      errors: [{ jobId: 2, title: 'Two', code: 'model-failed' }],
    })
    expect(await judged()).toEqual([1, 3])
  })

  it('stops with one error when no posting can be judged', async () => {
    await put('One', 'Two', 'Three', 'Four')
    const refuses = new ServiceError('model-unauthorized', 'The key of scripted is wrong.')
    const { frames } = await run(byTitle({ One: refuses, Two: refuses, Three: refuses, Four: refuses }))

    expect(frames).toEqual([
      {
        type: 'error',
        status: 'error',
        message: 'The key of scripted is wrong.',
        code: 'model-unauthorized',
      },
    ])
    expect(scripted.prompts.length).toBeLessThanOrEqual(2)
  })

  it('keeps finished analyses when the model is lost', async () => {
    await put('One', 'Two', 'Three')
    const refusal = new ServiceError('model-unauthorized', 'The key of scripted is wrong.')
    const othersAreJudged = gate()
    const running = run(byTitle({ One: step([othersAreJudged, breakOff(refusal)]) }))
    await vi.waitFor(async () => expect(await judged()).toEqual([2, 3]))
    othersAreJudged.open()
    const { frames } = await running

    expect(frames.at(-1)).toMatchObject({
      type: 'complete',
      errors: [{ jobId: null, code: 'model-unauthorized' }],
    })
    expect(await judged()).toEqual([2, 3])
  })

  it('judges two postings at a time and stops when the caller disconnects', async () => {
    await put('One', 'Two', 'Three', 'Four')
    const [first, second, third] = [gate(), gate(), gate()]
    scripted.play(byTitle({ Four: step(says(first)), Three: step(says(second)), Two: step(says(third)) }))
    const disconnect = new AbortController()
    const response = await made.app.request('/jobs/analyze', { method: 'POST' })
    const reader = response.body?.getReader()
    disconnect.signal.addEventListener('abort', () => void reader?.cancel(new Error('gone')))
    await Promise.all([first.reached, second.reached])

    expect(scripted.prompts).toHaveLength(2)
    await reader?.cancel(new Error('gone'))
    first.open()
    second.open()
    expect(await judged()).toEqual([])
    expect(scripted.prompts).toHaveLength(2)
  })

  it('judges only the postings of the caller', async () => {
    await put('One')
    await putResume(made.db, { user_id: 'eve' })
    scripted.play([])
    const response = await made.app.request('/jobs/analyze', { method: 'POST', headers: { 'x-user': 'eve' } })

    expect(framesOf(await response.text())).toEqual([
      expect.objectContaining({ type: 'complete', processed: 0 }),
    ])
  })
})
