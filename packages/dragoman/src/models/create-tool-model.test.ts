import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { createCallTally } from '../events/index.ts'
import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { createDemoCandidate, createChoice, type ModelChoice } from './model-choice.ts'
import { createToolModel } from './create-tool-model.ts'
import { meterModels } from './meter-models.ts'
import {
  answer,
  apiError,
  retryAlways,
  scriptedEndpoint,
  type ScriptedCall,
} from './resilient-model.fixture.ts'
import { createResilientModel } from './resilient-model.ts'
import { unmeteredModel } from './unmetered-model.fixture.ts'

const question = { instructions: 'Judge.', text: 'This.' }
const schema = z.object({ fit: z.enum(['High', 'Low']) })
const { signal } = new AbortController()

describe('createToolModel', () => {
  it('returns text, and counts its usage', async () => {
    const models = meterModels(scriptedModel([step(says('It fits.'))]).models)
    const meter = createCallTally()
    const model = createToolModel(
      () => models.choose({ primary: '', fallback: '' }),
      (_promptTokens, ask) => ask(meter),
    )

    expect(await model.text(question, signal)).toBe('It fits.')
    expect(meter.calls).toHaveLength(1)
    expect(meter.usage.outputTokens).toBeGreaterThan(0)
  })

  const wrong = answer('No object.')
  it.each<[string, ScriptedCall[]]>([
    ['is refused', [apiError(500), apiError(500), answer('{"fit": "High"}')]],
    ['answers wrongly after it was refused', [apiError(500), wrong, answer('{"fit": "High"}')]],
    ['is refused after it answered wrongly', [wrong, apiError(503), answer('{"fit": "High"}')]],
    ['always answers wrongly', [wrong, wrong, answer('{"fit": "High"}')]],
    ['has too small a window', [apiError(413), apiError(413), answer('{"fit": "High"}')]],
  ])('makes two calls at most where its meter has no room for more and the model %s', async (_how, calls) => {
    const { member, state } = scriptedEndpoint('a', ...calls)
    const { name, failure } = member
    const policy = { ...retryAlways, retryDelayMs: 0 }
    const load: ModelChoice['load'] = (_answered, _wait, meter) =>
      createResilientModel([member, member], policy, { onModel: () => undefined, meter })
    const model = createToolModel(
      () => ({ name, why: '', load, failure }),
      (_promptTokens, ask) => ask(createCallTally(2)),
    )

    await expect(model.object({ ...question, schema }, signal)).rejects.toThrow()
    expect(state.asked).toBeLessThanOrEqual(2)
  })

  it.each([['{"fit": "High"}'], ['Here it is:\n```json\n{"fit": "High"}\n```']])(
    'returns an object from %s',
    async (reply) => {
      const { models } = scriptedModel([step(says(reply))])
      const model = unmeteredModel(() => models.choose({ primary: '', fallback: '' }))

      expect(await model.object({ ...question, schema }, signal)).toEqual({ fit: 'High' })
    },
  )

  it('asks once more for an object that does not match, and then fails', async () => {
    const { models, prompts, play } = scriptedModel([
      step(says('{"fit": "Good"}')),
      step(says('{"fit": "Low"}')),
    ])
    const model = unmeteredModel(() => models.choose({ primary: '', fallback: '' }))

    expect(await model.object({ ...question, schema }, signal)).toEqual({ fit: 'Low' })
    expect(JSON.stringify(prompts[1])).toContain('Good')

    play([step(says('No.')), step(says('Still no.'))])
    await expect(model.object({ ...question, schema }, signal)).rejects.toMatchObject({
      code: 'model-failed',
    })
  })

  it('names the missing configuration if only the offline model exists', async () => {
    const offline = createChoice(createDemoCandidate(0, 'No model provider is configured: set A_KEY.'), [], {
      retries: 0,
      retryDelayMs: 0,
      usesFallback: () => false,
    })
    const model = unmeteredModel(() => offline)

    expect(model.name()).toBe('offline')
    await expect(model.text(question, signal)).rejects.toMatchObject({
      code: 'model-missing',
      message: 'This needs a model, and none is configured. No model provider is configured: set A_KEY.',
    })
  })
})
