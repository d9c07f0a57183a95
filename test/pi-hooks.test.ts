import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { piEngine } from '../packages/pi/src/index.ts'
import { defineTool, toolResult } from '../packages/dragoman/src/index.ts'
import { request, harnesses } from '../packages/dragoman/src/runs/harness.fixture.ts'
import { calls, says, scriptedModel, step } from './support/scripted-model.ts'

const open = harnesses()
const secret = (needsApproval: boolean) =>
  defineTool({
    name: 'secret',
    description: 'Gives the word.',
    inputSchema: z.object({}),
    needsApproval,
    execute: () => toolResult({ output: { word: 'sesame' }, text: 'The word is sesame.' }),
  })

describe('a run with pi’s hooks', () => {
  const play = async (hooks: Parameters<typeof piEngine>[0], needsApproval: boolean) => {
    const model = scriptedModel([step(calls('c1', 'secret', {})), step(says('Done.'))])
    const engine = piEngine(hooks).create(model.models)
    const { runs, said, ended } = await open((job, host) => engine.run(job, host), {
      tools: [secret(needsApproval)],
      ...(engine.hooks && { hooks: engine.hooks }),
    })
    const { run } = await runs.start(request)
    if (needsApproval) {
      await said(run.id, 'run.waiting')
      await runs.answer(run, { callId: `${run.id}.1`, answer: { kind: 'approval', approved: true } }, 'ada')
    }
    return { log: JSON.stringify(await ended(run.id)), prompts: JSON.stringify(model.prompts) }
  }

  it.each([false, true])(
    'records the outcome that `afterToolCall` changes (needsApproval: %s)',
    async (needsApproval) => {
      const content = [{ type: 'text' as const, text: 'The word is hidden.' }]
      const afterToolCall = async () => ({ content, details: {} })
      const { log, prompts } = await play({ afterToolCall }, needsApproval)

      expect(log).toContain('The word is hidden.')
      expect(prompts).toContain('The word is hidden.')
      expect(log + prompts).not.toContain('sesame')
    },
  )

  it('records a call that `beforeToolCall` blocks, without an approval', async () => {
    const beforeToolCall = async () => ({ block: true, reason: 'It stays secret.' })
    const model = scriptedModel([step(calls('c1', 'secret', {})), step(says('Done.'))])
    const engine = piEngine({ beforeToolCall }).create(model.models)
    const { runs, ended } = await open((job, host) => engine.run(job, host), { tools: [secret(true)] })
    const { run } = await runs.start(request)

    const log = await ended(run.id)

    expect(log.find(({ type }) => type === 'tool.failed')).toMatchObject({
      failure: { code: 'denied', message: 'It stays secret.' },
    })
    expect(log.map(({ type }) => type)).not.toContain('tool.asked')
    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
  })
})
