import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { separateContent, separateThoughts } from './separate-thoughts.ts'
import { thoughtTags, type TagSettings } from './thought-tags.ts'

type Part = LanguageModelV4StreamPart
type Finish = Extract<Part, { type: 'finish' }>

const end = (unified: 'stop' | 'length' | 'tool-calls'): Finish => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
})
const call: Part = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}' }

type Options = { readonly model?: string; readonly settings?: TagSettings }
type Stop = 'stop' | 'length' | 'tool-calls'

/** Reads an answer that arrives in these pieces. */
async function read(
  pieces: readonly string[],
  { model = 'm', settings = {}, reason = 'stop' }: Options & { readonly reason?: Stop } = {},
) {
  const source: Part[] = [
    { type: 'text-start', id: 't' },
    ...pieces.map((delta): Part => ({ type: 'text-delta', id: 't', delta })),
    ...(reason === 'tool-calls' ? [call] : []),
    { type: 'text-end', id: 't' },
    end(reason),
  ]
  const next = separateThoughts(async () => source.shift(), thoughtTags(model, settings))
  const parts: Part[] = []
  for (let part = await next(); part; part = await next()) parts.push(part)
  const textOf = (type: 'text-delta' | 'reasoning-delta'): string =>
    parts.map((part) => (part.type === type ? part.delta : '')).join('')
  return { thoughts: textOf('reasoning-delta'), text: textOf('text-delta'), parts }
}

/** An answer, its thoughts and its text. */
const ANSWERS: readonly [what: string, answer: string, thoughts: string, text: string, model?: string][] = [
  ['thoughts and a text', '<think>\nThe user greets.\n</think>\n\nHello!', 'The user greets.', 'Hello!'],
  ['blanks before the tag', '\n \n<think>Hm</think>Hello!', 'Hm', 'Hello!'],
  ['tags in capitals', '<THINK>Hm</Think> Hello!', 'Hm', ' Hello!'],
  ['the other name', '<thinking>Hm</thinking>\nHello!', 'Hm', 'Hello!'],
  ['the names of other models', '<thought>Hm</thought>Hello!', 'Hm', 'Hello!'],
  ['the brackets of Magistral', '[THINK]Hm[/THINK]Hello!', 'Hm', 'Hello!'],
  ['the brackets of Kimi-VL', '◁think▷Hm◁/think▷Hello!', 'Hm', 'Hello!'],
  ['the tags of Seed', '<seed:think>Hm</seed:think>Hello!', 'Hm', 'Hello!'],
  ['the channels of Gemma', '<|channel>thought\nHm\n<channel|>Hello!', 'Hm', 'Hello!'],
  [
    'the channels of gpt-oss',
    '<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Hello!',
    'Hm',
    'Hello!',
  ],
  [
    'the same without an end of its message',
    '<|channel|>analysis<|message|>Hm<|channel|>final<|message|>Hello!',
    'Hm',
    'Hello!',
  ],
  ['the final channel alone', '<|channel|>final<|message|>Hello!', '', 'Hello!'],
  ['thoughts within thoughts', '<think>a <think>b</think> c</think>\nHello!', 'a <think>bc', 'Hello!'],
  [
    'a tag within thoughts that no other closes',
    '<think>a <think> b</think>\n\nHello!',
    'a <think> b',
    'Hello!',
  ],
  ['a tag in code within thoughts', '<think>Is `<think>` one?</think>Hello!', 'Is `<think>` one?', 'Hello!'],
  ['another tag within', '<thinking>Hm </think> a</thinking>Hello!', 'Hm </think> a', 'Hello!'],
  ['empty thoughts', '<think>\n\n</think>\n\nHello!', '', 'Hello!'],
  ['thoughts in two tags', '<think>One.</think>\n<think>Two.</think>\n\nHello!', 'One.Two.', 'Hello!'],
  ['thoughts after text', '<think>One.</think>Hello!\n<think>Two.</think>\nBye!', 'One.Two.', 'Hello!\nBye!'],
  [
    'a tag after text that nothing closes',
    '<think>One.</think>Hello!\n<think>Two.',
    'One.',
    'Hello!\n<think>Two.',
  ],
  [
    'tags in a line and in code after thoughts',
    '<think>One.</think>Write <think>a</think>:\n```\n<think>b</think>\n```\n`<think>`',
    'One.',
    'Write <think>a</think>:\n```\n<think>b</think>\n```\n`<think>`',
  ],
  ['thoughts without an end', '<think>\nHm\n\nHa', 'Hm\n\nHa', ''],
  [
    'thoughts that quote the end',
    '<think>What is `</think>`?</think>A tag.',
    'What is `</think>`?',
    'A tag.',
  ],
  ['an indented text', '<think>Hm</think>\n\n    code', 'Hm', '    code'],
  ['a tag after text', 'Sure. <think>Hm</think> Hello!', '', 'Sure. <think>Hm</think> Hello!'],
  ['a tag in code', '```html\n<think>\nHm\n</think>\n```', '', '```html\n<think>\nHm\n</think>\n```'],
  ['a tag in a sentence', 'Write `<think>`, then `</think>`.', '', 'Write `<think>`, then `</think>`.'],
  ['a similar tag', '<thinker>Hm</thinker>', '', '<thinker>Hm</thinker>'],
  ['the beginning of a tag', '<thin', '', '<thin'],
  ['blanks', ' \n', '', ' \n'],
  [
    'only the end, for a model whose template begins',
    'Hm\n</think>\n\nHello!',
    'Hm',
    'Hello!',
    'deepseek-r1:7b',
  ],
  ['an end in a line, for the same', 'Hm.</think>Hello!', 'Hm.', 'Hello!', 'qwq-32b'],
  ['no tag, for the same', 'Hello!\n\n`<b>`', '', 'Hello!\n\n`<b>`', 'qwq-32b'],
]

describe('the thoughts of an answer', () => {
  it.each(ANSWERS)(
    'are read from %s, whatever the pieces',
    async (...[, answer, thoughts, text, model = 'm']) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 0, max: answer.length })), async (cuts) => {
          const places = [0, ...cuts.toSorted((one, other) => one - other), answer.length]
          const pieces = places.slice(1).map((place, index) => answer.slice(places[index], place))
          const parts = await read(pieces, { model })
          expect({ thoughts: parts.thoughts, text: parts.text }).toEqual({ thoughts, text })
        }),
        { numRuns: 50 },
      )
      const content = separateContent([{ type: 'text', text: answer }], end('stop'), thoughtTags(model))
      const textOf = (type: 'text' | 'reasoning'): string =>
        content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
      expect([textOf('reasoning'), textOf('text')]).toEqual([thoughts, text])
    },
  )

  it('are parts of their own, and open no empty text', async () => {
    const { parts } = await read(['<think>One.</think>', '<think>Two.'], { reason: 'tool-calls' })

    expect(parts.map(({ type }) => type)).toEqual([
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'tool-call',
      'finish',
    ])
    expect(new Set(parts.flatMap((part) => (part.type === 'reasoning-start' ? part.id : []))).size).toBe(2)
  })

  it('in the text part it', async () => {
    const { parts } = await read(['<think>One.</think>Hello!\n<thi', 'nk>Two.</think>\nBye!'])
    const starts = parts.filter(({ type }) => type === 'text-start' || type === 'reasoning-start')

    expect(starts.map(({ type }) => type)).toEqual([
      'reasoning-start',
      'text-start',
      'reasoning-start',
      'text-start',
    ])
    expect(new Set(starts.map((part) => ('id' in part ? part.id : ''))).size).toBe(4)
  })

  it('are read from an end that is there at once', async () => {
    expect(await read(['Hm\n</think>\n\nHel', 'lo!'])).toMatchObject({ thoughts: 'Hm', text: 'Hello!' })
    expect(await read(['The tag </think> ends it.'])).toMatchObject({ text: 'The tag </think> ends it.' })
    expect(await read(['```\nHm\n</think>\n```'])).toMatchObject({ text: '```\nHm\n</think>\n```' })
  })

  it('stay text where they were said as text, without the tag that ends them', async () => {
    const pieces = ['Hm', ' so\n</thi', 'nk>\n', '\nHello!']

    expect(await read(pieces)).toMatchObject({ thoughts: '', text: 'Hm so\n\n\nHello!' })
    expect(await read(['Write ', '</think>', ' and\n', '</think>'])).toMatchObject({
      text: 'Write </think> and\n</think>',
    })
    expect(await read(['```\n', 'Hm\n', '</think>\n```'])).toMatchObject({ text: '```\nHm\n</think>\n```' })
  })

  it('of one answer change no other one', async () => {
    for (const pieces of [['Hm\n</think>\nend'], ['Hm', '\n</think>\n', 'end']]) await read(pieces)

    for (const reason of ['stop', 'length', 'tool-calls'] as const)
      expect(await read(['Hel', 'lo!'], { reason })).toMatchObject({ thoughts: '', text: 'Hello!' })
  })

  it.each(['stop', 'length', 'tool-calls'] as const)(
    'are told from a text that ends with %s, if the template perhaps began them',
    async (reason) => {
      const options = { model: 'deepseek-r1', reason }

      expect(await read(['Hel', 'lo!'], options)).toMatchObject({ thoughts: '', text: 'Hello!' })
      expect(await read(['Hm', '</think>', 'Hel', 'lo!'], options)).toMatchObject({
        thoughts: 'Hm',
        text: 'Hello!',
      })
    },
  )

  it('arrive as they are written where models.yaml says that the template begins them', async () => {
    const opened = { settings: { isOpened: true } }
    const { parts } = await read(['Hm', ' so', '</think>', 'Hello!'], opened)

    expect(parts.flatMap((part) => (part.type === 'reasoning-delta' ? part.delta : []))).toEqual([
      'Hm',
      ' so',
    ])
    expect(await read(['Hm', ' so'], { ...opened, reason: 'length' })).toMatchObject({
      thoughts: 'Hm so',
      text: '',
    })
    expect(await read(['Hello!'], { model: 'qwq', settings: { isOpened: false } })).toMatchObject({
      parts: expect.arrayContaining([expect.objectContaining({ type: 'text-delta', delta: 'Hello!' })]),
    })
  })

  it('are not expected in the text if the provider has separated them', async () => {
    const source: Part[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hello!' },
      { type: 'text-end', id: 't' },
      end('stop'),
    ]
    const rest = [...source]
    const next = separateThoughts(async () => rest.shift(), thoughtTags('deepseek-r1'))
    const parts: Part[] = []
    for (let part = await next(); part; part = await next()) parts.push(part)

    expect(parts).toEqual(source)
  })
})

const HM = '<think>Hm</think>'
it.each([
  ...['<', '[', '</think', '<think '].map((sign) => `Hello ${sign.repeat(1_000_000 / sign.length)}`),
  `${HM}\n\`\`\`${'\n<think>'.repeat(100_000)}`,
  `${HM}${' <think>'.repeat(100_000)}`,
  `${HM}${`Hello!\n${HM}\n`.repeat(10_000)}`,
  `${HM}${'`'.repeat(400_000)}${'\n<think>'.repeat(30_000)}`,
])('cost little to look for in a long text: %.40j', (text) => {
  const cost = cpuMs(() => separateContent([{ type: 'text', text }], end('stop'), thoughtTags('m')))

  expect(cost).toBeLessThan(800)
})
