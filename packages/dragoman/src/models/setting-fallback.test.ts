import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import type { ModelEndpoint } from './call-model.ts'
import { createSettingFallback } from './setting-fallback.ts'

/** Refusals are errors of the package. Those that are ours stay as they are. */
const failure = (error: unknown) =>
  error instanceof ServiceError
    ? error
    : new ServiceError('model-refused', `Refused: ${(error as Error).message}`)
const endpoint = { name: 'local', failure, warn: () => undefined } as unknown as ModelEndpoint
const options: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  ],
  temperature: 0.7,
  reasoning: 'medium',
  toolChoice: { type: 'required' },
}
const refusal = (words: string) => new Error(words)

/** Calls twice, and gives the request of each call. */
async function askTwice(...failures: readonly Error[]) {
  const call = createSettingFallback()
  const requests: LanguageModelV4CallOptions[] = []
  const rest = [...failures]
  const once = () =>
    call(
      async (request) => {
        requests.push(request)
        const next = rest.shift()
        if (next) throw next
        return 'answer'
      },
      endpoint,
      options,
    )
  const answers = [
    await once().catch((error: unknown) => error),
    await once().catch((error: unknown) => error),
  ]
  return { requests, answers }
}

describe('a model that refuses a setting', () => {
  it.each<[keyof LanguageModelV4CallOptions, string]>([
    ['reasoning', '"local" does not support thinking.'],
    ['temperature', "'temperature' does not support 0.7 with this model."],
    ['temperature', '`temperature` may only be set to 1 when thinking is enabled.'],
    ['toolChoice', 'deepseek does not support this tool_choice.'],
  ])('answers without it, at once and from then on: %s', async (name, words) => {
    const { [name]: _, ...without } = options

    expect(await askTwice(refusal(words))).toEqual({
      requests: [options, without, without],
      answers: ['answer', 'answer'],
    })
  })

  it('answers without two', async () => {
    const { requests } = await askTwice(refusal('no thinking.'), refusal('no temperature.'))

    expect(requests.at(-1)).not.toHaveProperty('reasoning')
    expect(requests.at(-1)).not.toHaveProperty('temperature')
    expect(requests).toHaveLength(4)
  })

  it('gets the instructions from the user if it knows no system', async () => {
    const { requests } = await askTwice(refusal('System role not supported'))

    const content = [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Hello' },
    ]
    expect(requests.at(-1)?.prompt).toEqual([{ role: 'user', content }])
  })

  it('is not asked again for other refusals, nor for the same again', async () => {
    const other = refusal('There is no such model.')
    const overload = new ServiceError('model-overloaded', 'It thinks too much.')

    expect((await askTwice(other, overload)).answers).toEqual([other, overload])
    expect((await askTwice(refusal('no thinking.'), refusal('no thinking.'))).requests).toHaveLength(3)
  })

  it('is not asked again after an answer, which costs something', async () => {
    const silence = new ServiceError('model-refused', 'It used up its tokens. Allow it less thinking.')

    expect(await askTwice(silence)).toEqual({ requests: [options, options], answers: [silence, 'answer'] })
  })

  it('gets a setting again that was not the fault', async () => {
    const { requests } = await askTwice(refusal('no thinking.'), refusal('no credit card.'))

    expect(requests.at(-1)).toEqual(options)
  })

  it.each(['System role not supported', 'tool_call_id: must have a length of 9'])(
    'is asked once more at most, though it always says: %s',
    async (words) => {
      const { requests, answers } = await askTwice(...Array.from({ length: 9 }, () => refusal(words)))

      expect(answers).toEqual([refusal(words), refusal(words)])
      expect(requests.length).toBeLessThanOrEqual(4)
    },
  )
})
