import { describe, expect, it } from 'vitest'

import { gate } from '../../../../test/support/gate.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { unmeteredModel } from '../../../../packages/dragoman/src/models/unmetered-model.fixture.ts'
import { setUp } from '../jobs.fixture.ts'
import { chosenResume } from '../resumes/chosen-resume.ts'
import { rewriteResume } from './rewrite-resume.ts'
import { addResume, answer, DISHONEST } from './tailoring.fixture.ts'

const job = { id: 1, title: 'Engineer', company: 'Acme', description: 'Go.' }
const hangs = [gate()]

async function rewrite(script: Parameters<typeof scriptedModel>[0]) {
  const { db } = await setUp()
  await addResume(db)
  const { models } = scriptedModel(script)
  const model = unmeteredModel(() => models.choose({ primary: 'scripted', fallback: 'scripted' }))
  return { resume: await chosenResume(db, 'ada', undefined), model, signal: new AbortController().signal }
}

describe('a model that takes too long', () => {
  it('is left, and said to be slow', async () => {
    const { resume, ...by } = await rewrite([hangs])

    await expect(rewriteResume(job, resume, by, 20)).rejects.toMatchObject({ code: 'timed-out' })
  })

  it('does not take along what it wrote before, with its marks', async () => {
    const { resume, ...by } = await rewrite([answer(DISHONEST), hangs])

    const row = await rewriteResume(job, resume, by, 500)

    expect(row.content).toBe(DISHONEST.trim())
    expect(row.truth).toContain('fabricated_skill')
  })
})
