import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { answer, DISHONEST, HONEST, setUpTailoring } from '../tailoring/tailoring.fixture.ts'
import { jobsModule, emptyDatabase } from '../jobs.fixture.ts'
import { noModel } from '../../../../packages/dragoman/src/agents/no-model.fixture.ts'
import { testApprovalContext } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'

describe('jobs_tailor', () => {
  it('tells what it made, and that nothing in it is made up', async () => {
    const { use } = await setUpTailoring([answer(HONEST)])
    const stages: Json[] = []
    const progress = ({ output = null }: { output?: Json }): void => void stages.push(output)

    const { output, text } = await use('jobs_tailor', {}, { context: { jobId: 1 }, progress })

    expect(output).toMatchObject({
      id: 1,
      jobId: 1,
      resumeId: 1,
      version: 1,
      isNew: true,
      diff: { added: 1, removed: 1 },
    })
    expect(stages).toEqual([{ stage: 'writing' }, { stage: 'checking' }])
    expect(text.split('\n').slice(0, 3)).toEqual([
      'Tailored the resume to job 1: version 1 (id 1), tailored from the base, +1 −1 lines in Experience.',
      'Truth check: every claim traces to the base resume.',
      'Keywords that are not true for the user: Rust',
    ])
  })

  it('names each claim that is left', async () => {
    const { use } = await setUpTailoring([answer(DISHONEST), answer(DISHONEST)])

    const { text } = await use('jobs_tailor', { jobId: 1 })

    expect(text).toContain(
      'Truth check: 1 claim does not trace to the base resume. Correct it before you send the resume:',
    )
    expect(text).toContain('- skill not in the resume: "Rust" (Languages: Go, Python, SQL, Rust)')
  })

  it('speaks Chinese of a Chinese resume', async () => {
    const { use } = await setUpTailoring([answer('# 李明\n- 精通Rust'), answer('# 李明\n- 精通Rust')])

    expect((await use('jobs_tailor', { jobId: 1 })).text).toMatch(
      /^已为职位 1 生成定制简历：版本 1（id 1），由原简历定制/,
    )
  })

  it('makes one version of one call, however often it is run', async () => {
    const { use, db, model } = await setUpTailoring([answer(HONEST)])
    const call = { idempotencyKey: 'run-1:call-1' }

    const first = await use('jobs_tailor', { jobId: 1, forceNew: true }, call)
    const again = await use('jobs_tailor', { jobId: 1, forceNew: true }, call)

    expect(again.output).toEqual(first.output)
    expect(model.prompts).toHaveLength(1)
    expect(await db.selectFrom('tailored_resumes').select('id').execute()).toHaveLength(1)
  })

  it('asks the user before it takes the place of a version', async () => {
    const { tools } = jobsModule(await emptyDatabase()).agent
    const tool = tools.find(({ name }) => name === 'jobs_tailor')

    expect(tool?.needsApproval({ jobId: 1, forceNew: true }, testApprovalContext)).toBe(true)
    expect(tool?.needsApproval({ jobId: 1 }, testApprovalContext)).toBe(false)
  })

  it('refuses without a job, without a model, and when it is stopped', async () => {
    const { use, db } = await setUpTailoring([])

    await expect(use('jobs_tailor', {})).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'jobId is required',
    })
    await expect(use('jobs_tailor', { jobId: 1 }, { model: noModel })).rejects.toMatchObject({
      code: 'model-missing',
    })
    await expect(use('jobs_tailor', { jobId: 1 }, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
    await expect(use('jobs_tailor', { jobId: 1 }, { userId: 'eve' })).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await db.selectFrom('tailored_resumes').select('id').execute()).toEqual([])
  })
})

describe('jobs_get_tailored_versions', () => {
  it('lists what there is, with what is not borne out', async () => {
    const { use, send } = await setUpTailoring([answer(HONEST)])
    await use('jobs_tailor', { jobId: 1 })
    await send('PUT', '/tailor/1', { content: DISHONEST })
    const day = new Date().toISOString().slice(0, 10)

    const { output, text } = await use('jobs_get_tailored_versions', {}, { context: { jobId: 1 } })

    expect(output).toMatchObject({
      versions: [
        { id: 2, openMarks: 1 },
        { id: 1, openMarks: 0 },
      ],
      more: false,
    })
    expect(text.split('\n')).toEqual([
      '2 tailored versions:',
      `- Job 1, resume 1, version 2 (latest), ${day}: edited from version 1, ` +
        '+1 −1 lines in Skills; 1 claim not borne out (id 2)',
      `- Job 1, resume 1, version 1, ${day}: tailored from the base, +1 −1 lines in Experience (id 1)`,
    ])
  })

  it('says that there is none', async () => {
    const { use } = await setUpTailoring([])

    expect((await use('jobs_get_tailored_versions', {})).text).toBe('There is no tailored version yet.')
    await expect(use('jobs_get_tailored_versions', { jobId: 9 })).rejects.toMatchObject({ code: 'not-found' })
  })
})
