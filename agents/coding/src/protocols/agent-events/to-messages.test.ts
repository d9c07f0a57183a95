import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../../test/support/cpu-time.ts'
import type { AssistantPart, Json, Message } from 'dragoman/events'
import { agentEvents } from './index.ts'

function past(...history: Json[]): readonly Message[] {
  const read = agentEvents.parse({ message: 'Go on.', workDir: '/w', history })
  return ('history' in read && read.history) || []
}

/** Each part in a word or two. */
function outline(...history: Json[]): string[][] {
  return past(...history).map(({ role, parts }) => [role as string].concat(parts.map((part) => brief(part))))
}

function brief(part: Message['parts'][number]): string {
  if (part.type === 'text') return part.text
  if (part.type === 'file') return part.mediaType
  if (part.type !== 'tool') return part.type
  return `${part.callId} ${part.tool}(${JSON.stringify(part.input)}) ${part.text ?? `failed: ${part.failure?.message}`}`
}

const user = { role: 'user', content: 'Read it.' }
const NONE = 'failed: The conversation has no outcome of this call.'

describe('toMessages', () => {
  it('reads the documented history format', () => {
    expect(
      outline(
        user,
        { role: 'assistant', content: 'I look.' },
        { role: 'tool', content: 'the text', toolName: 'read_file', toolInput: { path: 'a' } },
        { role: 'tool', content: '', toolName: 'glob_files', toolInput: {}, toolResult: '没有' },
        { role: 'assistant', content: '好了。' },
      ),
    ).toEqual([
      ['user', 'Read it.'],
      [
        'assistant',
        'step',
        'I look.',
        'past read_file({"path":"a"}) the text',
        'past_2 glob_files({}) 没有',
        'step',
        '好了。',
      ],
    ])
  })

  it('reads the history format of pi without reasoning', () => {
    const call = { type: 'toolCall', id: 'toolu_1', name: 'read_file', arguments: { path: 'a' } }
    const thinking = { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'x' }
    expect(
      outline(
        { role: 'user', content: [{ type: 'text', text: 'Read it.' }], timestamp: 1 },
        {
          role: 'assistant',
          content: [thinking, { type: 'text', text: 'I look.' }, call],
          usage: { input: 1 },
          stopReason: 'toolUse',
        },
        {
          role: 'toolResult',
          toolCallId: 'toolu_1',
          toolName: 'read_file',
          content: [{ type: 'text', text: 'No such file.' }],
          isError: true,
        },
        { role: 'assistant', content: 'It is not there.' },
      ),
    ).toEqual([
      ['user', 'Read it.'],
      [
        'assistant',
        'step',
        'I look.',
        'toolu_1 read_file({"path":"a"}) failed: No such file.',
        'step',
        'It is not there.',
      ],
    ])
  })

  it('reads calls that are fields of a message', () => {
    const call = { role: 'assistant', content: 'I look.', toolName: 'read_file', toolInput: { path: 'a' } }

    expect(outline(user, { ...call, toolResult: { lines: 2 } })).toEqual([
      ['user', 'Read it.'],
      ['assistant', 'step', 'I look.', 'past read_file({"path":"a"}) {"lines":2}'],
    ])
    expect(outline(user, call, { role: 'tool', content: 'text', toolName: 'read_file' })[1]?.at(-1)).toBe(
      'past read_file({"path":"a"}) text',
    )
  })

  it('reads a call and its result that both tell the tool and its input as one call', () => {
    const call = { toolName: 'read_file', toolInput: { path: 'a', limit: 2 } }
    const again = { toolName: 'read_file', toolInput: { limit: 2, path: 'a' }, toolResult: 'the text' }
    expect(
      outline(
        user,
        { role: 'assistant', content: '', ...call },
        { role: 'tool', content: '', ...again },
        { role: 'assistant', content: '', toolName: 'glob_files' },
        { role: 'tool', content: 'b.ts', toolName: 'glob_files', toolInput: { pattern: '*' } },
        { role: 'tool', content: 'other', toolName: 'read_file', toolInput: { path: 'b' } },
      ),
    ).toEqual([
      ['user', 'Read it.'],
      [
        'assistant',
        'step',
        'past read_file({"limit":2,"path":"a"}) the text',
        'step',
        'past_2 glob_files({"pattern":"*"}) b.ts',
        'past_3 read_file({"path":"b"}) other',
      ],
    ])
  })
})

describe('an irregular history', () => {
  const calls = (...ids: string[]): Json => ({
    role: 'assistant',
    content: ids.map((id) => ({ type: 'toolCall', id, name: 't', arguments: {} })),
  })
  const result = (toolCallId: string, content: string): Json => ({ role: 'toolResult', toolCallId, content })

  it.each<[string, Json[], string[]]>([
    ['a result without its call', [result('x', 'r')], ['step', 'x tool({}) r']],
    ['a call without its result', [calls('x')], ['step', `x t({}) ${NONE}`]],
    ['a result of another call', [calls('x'), result('y', 'r')], ['step', `x t({}) ${NONE}`, 'y tool({}) r']],
    [
      'a second result',
      [calls('x'), result('x', '1'), result('x', '2')],
      ['step', 'x t({}) 1', 'x_2 tool({}) 2'],
    ],
    [
      'a result too late',
      [calls('x'), { role: 'assistant', content: 'so' }, result('x', 'r')],
      ['step', 'x t({}) r', 'step', 'so'],
    ],
    [
      'an id that comes twice',
      [calls('x', 'x'), result('x', '1'), result('x', '2')],
      ['step', 'x t({}) 1', 'x_2 t({}) 2'],
    ],
    ['an id that is no word', [calls('天 1/'), result('天 1/', 'r')], ['step', '__1_ t({}) r']],
    [
      'calls without ids',
      [{ role: 'assistant', content: [{ type: 'toolCall', name: 't' }] }, { role: 'tool' }],
      ['step', 'past t({}) '],
    ],
    [
      'what is empty',
      [
        { role: 'assistant', content: ' ' },
        { role: 'assistant', content: 'so' },
      ],
      ['step', 'so'],
    ],
  ])('is mended: %s', (_what, history, parts) => {
    expect(outline(user, ...history)).toEqual([
      ['user', 'Read it.'],
      ['assistant', ...parts],
    ])
  })

  it('may have user messages between a call and its result', () => {
    expect(outline(user, calls('x'), { role: 'user', content: 'Well?' }, result('x', 'r'))).toEqual([
      ['user', 'Read it.'],
      ['assistant', 'step', 'x t({}) r'],
      ['user', 'Well?'],
    ])
    expect(outline(user, { role: 'user', content: '' })).toEqual([['user', 'Read it.']])
  })

  it('takes linear time', () => {
    const many = Array.from({ length: 20_000 }, () => calls('x'))
    let parts: AssistantPart[] = []
    const cost = cpuMs(() => {
      parts = past(user, ...many, ...many.map(() => result('y', 'r')))[1]?.parts as AssistantPart[]
    })

    expect(cost).toBeLessThan(5000)
    expect(new Set(parts.flatMap((part) => (part.type === 'tool' ? [part.callId] : []))).size).toBe(
      parts.filter(({ type }) => type === 'tool').length,
    )
  })
})

describe('an image', () => {
  const result = (image: Json): unknown => past({ role: 'user', content: [image] })[0]?.parts[0]

  it('is included if the message contains its data, and is named otherwise', () => {
    const file = { type: 'file', url: 'data:image/jpeg;base64,aGk=', mediaType: 'image/jpeg' }
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/jpeg' }

    expect(result(image)).toEqual(file)
    expect(result({ ...image, data: file.url })).toEqual(file)
    expect(result(file)).toEqual(file)
    expect(result({ type: 'image', data: 'https://a.example/x.png' })).toEqual({
      type: 'text',
      text: '[Image: left out]',
    })
    expect(result({ type: 'image', filename: 'x.png' })).toEqual({ type: 'text', text: '[x.png: left out]' })
  })

  it('of a tool is only named', () => {
    const content = [
      { type: 'text', text: 'Here:' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ]

    expect(outline(user, { role: 'toolResult', toolName: 'read', content })[1]?.at(-1)).toBe(
      'past read({}) Here:\n[Image: left out]',
    )
  })
})
