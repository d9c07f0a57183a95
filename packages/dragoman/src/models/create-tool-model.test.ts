import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import type { Usage } from '../events/index.ts'
import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { createDemoCandidate, createChoice } from './model-choice.ts'
import { createToolModel } from './create-tool-model.ts'

const question = { instructions: 'Judge.', text: 'This.' }
const schema = z.object({ fit: z.enum(['High', 'Low']) })
const { signal } = new AbortController()

describe('createToolModel', () => {
  it('returns text, and counts its usage', async () => {
    const { models } = scriptedModel([step(says('It fits.'))])
    const usages: Usage[] = []
    const model = createToolModel(
      () => models.choose({ primary: '', fallback: '' }),
      (usage) => usages.push(usage),
    )

    expect(await model.text(question, signal)).toBe('It fits.')
    expect(usages).toHaveLength(1)
    expect(usages[0]?.outputTokens).toBeGreaterThan(0)
  })

  it.each([['{"fit": "High"}'], ['Here it is:\n```json\n{"fit": "High"}\n```']])(
    'returns an object from %s',
    async (reply) => {
      const { models } = scriptedModel([step(says(reply))])
      const model = createToolModel(() => models.choose({ primary: '', fallback: '' }))

      expect(await model.object({ ...question, schema }, signal)).toEqual({ fit: 'High' })
    },
  )

  it('asks once more for an object that does not match, and then fails', async () => {
    const { models, prompts, play } = scriptedModel([
      step(says('{"fit": "Good"}')),
      step(says('{"fit": "Low"}')),
    ])
    const model = createToolModel(() => models.choose({ primary: '', fallback: '' }))

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
    const model = createToolModel(() => offline)

    expect(model.name()).toBe('offline')
    await expect(model.text(question, signal)).rejects.toMatchObject({
      code: 'model-missing',
      message: 'This needs a model, and none is configured. No model provider is configured: set A_KEY.',
    })
  })
})
