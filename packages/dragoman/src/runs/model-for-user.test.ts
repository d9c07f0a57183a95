import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { calling } from './calling.fixture.ts'
import { harnesses, request } from './harness.fixture.ts'
import type { ModelForUser } from './ports.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ n: z.number() }),
  needsApproval: true,
  execute: () => 'paid',
})

describe('a model that the user may not run', () => {
  const harness = harnesses()
  const none: string[] = []
  const modelFor: ModelForUser = (agent, userId, model) => {
    if (model !== undefined && !none.includes(model)) return { primary: model }
    if (model === undefined) return agent.model
    throw new ServiceError('forbidden', `model: ${userId} may not run ${model}.`)
  }

  it('is refused before anything of a run is written', async () => {
    none.push('opus')
    const { runs, store } = await harness(calling(), { modelFor })

    await expect(runs.start({ ...request, model: 'opus' })).rejects.toMatchObject({ code: 'forbidden' })

    expect((await store.changed('0', 10)).runs).toEqual([])
  })

  it('ends a run that was admitted when it was allowed', async () => {
    none.length = 0
    let attempts = 0
    const engine = calling('pay')
    const { runs, said, ended } = await harness(
      (job, host) => {
        attempts++
        return engine(job, host)
      },
      { modelFor, tools: [pay] },
    )
    const { run } = await runs.start({ ...request, model: 'opus' })
    await said(run.id, 'run.waiting')
    none.push('opus')

    const answer = { kind: 'approval', approved: true } as const
    await runs.answer(run, { callId: `${run.id}.1`, answer }, 'ada')

    expect((await ended(run.id)).at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'forbidden' } })
    expect(attempts).toBe(1)
  })
})
