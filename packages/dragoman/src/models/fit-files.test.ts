import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import type { ModelEndpoint } from './call-model.ts'
import { createFileWords } from './file-words.ts'
import { createFileFallback, fitFiles } from './fit-files.ts'
import type { ProviderApi } from './provider-api.ts'

const MB = 1024 * 1024

function file(mediaType: string, bytes = 4, filename?: string) {
  const data = { type: 'data', data: new Uint8Array(bytes).fill(97) } as const
  return { type: 'file', mediaType, data, ...(filename !== undefined && { filename }) } as const
}

function promptOf(...files: ReturnType<typeof file>[]): LanguageModelV4Prompt {
  const call = { toolCallId: 'c1', toolName: 'take' } as const
  return [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Look.' }, ...files] },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          ...call,
          output: { type: 'content', value: [{ type: 'text', text: 'Taken.' }, ...files] },
        },
      ],
    },
  ]
}

/** What stands in the place of the files: in the message, and in the outcome. */
async function fit(api: ProviderApi, ...files: ReturnType<typeof file>[]) {
  return placesOf(await fitFiles(promptOf(...files), { api }, createFileWords({ turn: 'one' })))
}

function placesOf(prompt: LanguageModelV4Prompt) {
  const short = (part: { type: string; text?: string; mediaType?: string }) => part.text ?? part.mediaType
  const [, user, , tool] = prompt
  const [result] = tool?.role === 'tool' ? tool.content : []
  const output = result?.type === 'tool-result' ? result.output : undefined
  const parts = output?.type === 'content' ? output.value : []
  return {
    message: user?.role === 'user' ? user.content.slice(1).map(short) : [],
    // An outcome without files is one text.
    outcome:
      output?.type === 'text' ? output.value : parts.slice(1).map((part) => short(part as { type: string })),
  }
}

describe('the files of a request', () => {
  it.each<ProviderApi>(['anthropic', 'responses', 'google', 'chat'])(
    'of no bytes are named for %s',
    async (api) => {
      expect((await fit(api, file('text/plain', 0, 'a.txt'), file('image/png', 0))).message).toEqual([
        '[File: a.txt (text/plain). It is empty.]',
        '[File: image/png. It is empty.]',
      ])
    },
  )

  it.each<ProviderApi>(['anthropic', 'responses', 'google'])('of pictures stay for %s', async (api) => {
    const types = ['image/png', 'application/pdf']

    expect(await fit(api, file('image/png'), file('application/pdf'))).toEqual({
      message: types,
      outcome: types,
    })
  })

  it('of tools stay for chat, where they follow the outcome', async () => {
    const types = ['image/png', '[File: a.csv]\naaaa']

    expect(
      (await fit('chat', file('image/png', 4, 'shot.png'), file('text/csv', 4, 'a.csv'))).outcome,
    ).toEqual(types)
  })

  it('that are texts become texts, and others of unknown types are named', async () => {
    const [csv, zip] = [
      '[File: a.csv]\naaaa',
      '[File: application/zip. This model does not take such files here.]',
    ]

    expect(await fit('anthropic', file('text/csv', 4, 'a.csv'), file('application/zip'))).toEqual({
      message: ['[File: a.csv (text/csv). The same file follows, so its content is left out here.]', zip],
      outcome: `Taken.\n${csv}\n${zip}`,
    })
    expect((await fit('google', file('audio/wav'))).outcome).toEqual(['audio/wav'])
  })

  it('are named if a picture is too large for the provider', async () => {
    const { message } = await fit('anthropic', file('image/png', 6 * MB, 'big.png'), file('image/png'))

    expect(message).toEqual([
      '[File: big.png (image/png). It is too large for this model: 6.0 MB.]',
      'image/png',
    ])
  })

  it('are all kept for a model object', async () => {
    const prompt = promptOf(file('application/zip'))

    expect(await fitFiles(prompt, {}, createFileWords({ turn: 'one' }))).toBe(prompt)
  })
})

describe('a model that refuses files', () => {
  const endpoint = { name: 'local', failure: (error: unknown) => error } as unknown as ModelEndpoint

  async function askTwice(refusal: ServiceError) {
    const call = createFileFallback()
    const requests: unknown[] = []
    const options: LanguageModelV4CallOptions = { prompt: promptOf(file('image/png', 4, 'a.png')) }
    const once = () =>
      call(
        async ({ prompt }) => {
          requests.push(placesOf(prompt).message)
          if (requests.length === 1) throw refusal
          return 'answer'
        },
        endpoint,
        options,
      ).catch((error: unknown) => error)
    return { answers: [await once(), await once()], requests }
  }

  it('is asked again without them, and gets them no more', async () => {
    const refusal = new ServiceError('model-refused', 'It has no image input.')
    const named = ['[File: a.png (image/png). The model did not take it. It has no image input.]']

    expect(await askTwice(refusal)).toEqual({
      answers: ['answer', 'answer'],
      requests: [['image/png'], named, named],
    })
  })

  it('is not asked again for another reason', async () => {
    const refusal = new ServiceError('model-refused', 'There is no such model.')

    expect((await askTwice(refusal)).answers).toEqual([refusal, 'answer'])
  })
})
