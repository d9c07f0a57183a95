import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import type { ModelEndpoint } from './call-model.ts'
import { createReasoningFallback } from './reasoning-fallback.ts'

const endpoint = { name: 'local', failure: (error: unknown) => error } as unknown as ModelEndpoint
const options: LanguageModelV4CallOptions = { prompt: [], temperature: 0.7, reasoning: 'medium' }
const refusal = new ServiceError('model-refused', 'The model refused: "local" does not support thinking.')

/** Calls twice, and gives what each call was asked to reason. */
async function askTwice(failures: readonly ServiceError[]) {
  const call = createReasoningFallback()
  const efforts: unknown[] = []
  const rest = [...failures]
  const once = () =>
    call(
      async ({ reasoning }) => {
        efforts.push(reasoning)
        const failure = reasoning === undefined ? undefined : rest.shift()
        if (failure) throw failure
        return 'answer'
      },
      endpoint,
      options,
    )
  const answers = [
    await once().catch((error: unknown) => error),
    await once().catch((error: unknown) => error),
  ]
  return { efforts, answers }
}

describe('a model that refuses to reason', () => {
  it('answers without it, at once and from then on', async () => {
    expect(await askTwice([refusal])).toEqual({
      efforts: ['medium', undefined, undefined],
      answers: ['answer', 'answer'],
    })
  })

  it('is not asked again for other refusals', async () => {
    const other = new ServiceError('model-refused', 'There is no such model.')
    const overload = new ServiceError('model-overloaded', 'It thinks too much.')

    expect(await askTwice([other, overload])).toEqual({
      efforts: ['medium', 'medium'],
      answers: [other, overload],
    })
  })
})
