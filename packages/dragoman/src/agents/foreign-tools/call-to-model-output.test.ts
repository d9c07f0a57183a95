import { describe, expect, it } from 'vitest'

import { callToModelOutput, type ToModelOutput } from './call-to-model-output.ts'

type Item = { title: string; output?: string }
const call = (output: unknown) => ({ toolCallId: 'c1', input: { words: 'tea' }, output })
const text = (value: string) => ({ type: 'text', value })

describe('toModelOutput of the AI SDK', () => {
  it.each<[string, ToModelOutput, unknown, object]>([
    ['7 by its output', ({ output }: { output: Item }) => text(output.title), { title: 'Tea' }, text('Tea')],
    ['7 by its input', ({ input }: { input: { words: string } }) => text(input.words), 4, text('tea')],
    [
      '7 by the whole of its output',
      async (options: { output: Item }) => ({ type: 'json', value: options.output }),
      { title: 'Tea' },
      { type: 'json', value: { title: 'Tea' } },
    ],
    ['5 by a field', (output: Item) => text(output.title), { title: 'Tea' }, text('Tea')],
    ['5 by a method', (output: string) => text(output.toUpperCase()), 'tea', text('TEA')],
    ['5 by an index', (output: string[]) => text(output[0] ?? ''), ['tea'], text('tea')],
    [
      '5 by all of it',
      (output: unknown) => ({ type: 'json', value: output }),
      [1],
      { type: 'json', value: [1] },
    ],
    ['5 as JSON', (output: unknown) => text(JSON.stringify(output)), { a: 1 }, text('{"a":1}')],
    [
      '5 by spreading it',
      (output: object) => ({ type: 'json', value: { ...output } }),
      { a: 1 },
      { type: 'json', value: { a: 1 } },
    ],
    ['5 in a template', (output: number) => text(`${output} °C`), 4, text('4 °C')],
    [
      '5 by a field that is called output',
      (result: Item) => text(result.output ?? ''),
      { title: 'ls', output: 'a.txt' },
      text('a.txt'),
    ],
    [
      '5 by a method of such a field',
      (result: Item) => text(result.output?.trim() ?? ''),
      { title: 'ls', output: ' a ' },
      text('a'),
    ],
    ['any, by nothing', () => text('Done.'), null, text('Done.')],
  ])('works in version %s', async (_how, toModelOutput, output, expected) => {
    expect(await callToModelOutput(toModelOutput, call(output))).toEqual(expected)
  })

  it('passes on its errors', async () => {
    const broken = ({ output }: { output: Item }): never => {
      throw new Error(`${output.title} has no text.`)
    }

    await expect(callToModelOutput(broken, call({ title: 'Tea' }))).rejects.toThrow('Tea has no text.')
  })
})
