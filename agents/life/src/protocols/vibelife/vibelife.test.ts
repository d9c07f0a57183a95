import { describe, expect, it } from 'vitest'

import type { Json, RunEvent } from 'dragoman/events'
import { describeProtocol } from '../../../../../packages/dragoman/src/protocols/protocol.contract.ts'
import { logOf, run, stories } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { vibelifeJudge } from './judge.fixture.ts'
import { translateRefusal, vibelife } from './index.ts'

describeProtocol(vibelife, vibelifeJudge, { startsSilently: true })

describe('vibelife', () => {
  it('has one message of all texts, with an empty line between them, and none of what was thought', () => {
    const deltas = framesOf([...stories.text.slice(0, -1), ...textEvents('run_story.9', 'And more.')])

    expect(deltas).toEqual([
      { type: 'text-delta', id: 'msg_story', delta: 'Hello,\n"world" ' },
      { type: 'text-delta', id: 'msg_story', delta: '😀 done.' },
      { type: 'text-delta', id: 'msg_story', delta: '\n\nAnd more.' },
    ])
  })

  it('has no empty line for a text in which nothing was said', () => {
    const texts = ['', 'Now.', ''].flatMap((text, index) => textEvents(`run_story.${index}`, text))

    expect(framesOf(texts)).toEqual([{ type: 'text-delta', id: 'msg_story', delta: 'Now.' }])
  })

  it.each<[Json, string, Json]>([
    [{ cardType: 'bazi_chart', text: '甲子' }, '甲子', { cardType: 'bazi_chart', text: '甲子' }],
    [null, 'Saved.', { text: 'Saved.' }],
    ['Saved.', 'Saved.', { text: 'Saved.' }],
    [{ total: 12 }, '找到 12 个', { total: 12, text: '找到 12 个' }],
    [[1, 2], '1, 2', { value: [1, 2], text: '1, 2' }],
    [0, 'none', { value: 0, text: 'none' }],
  ])('tells the output %j as an object', (output, text, result) => {
    expect(
      framesOf([called({}), { type: 'tool.returned', callId: 'run_story.1', output, text }]).at(-1),
    ).toEqual({ type: 'tool-result', toolCallId: 'run_story.1', result })
  })

  it.each([
    ['stop', textEvents('run_story.2', 'So far.')],
    ['length', [called({}), { type: 'tool.returned', callId: 'run_story.1', output: null, text: 'One.' }]],
  ] satisfies [string, RunEvent[]][])('ends with %s where the steps are used up', (finishReason, step) => {
    const usage = { inputTokens: 1, outputTokens: 1 }
    const end: RunEvent = { type: 'run.finished', reason: 'step-limit', usage }

    expect(framesOf([{ type: 'step.started', model: 'm' }, ...step, end]).at(-1)).toEqual({
      type: 'finish',
      finishReason,
    })
  })

  it('tells a call whose input was no JSON, and why it failed, and goes on', () => {
    const failure = {
      code: 'invalid-input',
      message: 'The input of look is no valid JSON.',
      retryable: false,
    }
    const frames = framesOf([
      called('{"year":'),
      { type: 'tool.failed', callId: 'run_story.1', failure },
      ...textEvents('run_story.2', 'Once more.'),
    ])

    expect(frames).toEqual([
      { type: 'tool-call', toolCallId: 'run_story.1', toolName: 'look', args: { input: '{"year":' } },
      {
        type: 'tool-result',
        toolCallId: 'run_story.1',
        result: {
          status: 'error',
          cardType: 'tool_error',
          error: 'The input of look is no valid JSON.',
          code: 'invalid-input',
          text: 'The input of look is no valid JSON.',
        },
      },
      { type: 'text-delta', id: 'msg_story', delta: 'Once more.' },
    ])
  })
})

describe('a request of the VibeLife chat', () => {
  it('may be a message alone', () => {
    expect(vibelife.parse({ message: '你好' })).toEqual({
      turns: [],
      message: { parts: [{ type: 'text', text: '你好' }] },
      context: {},
      stream: true,
      view: {},
    })
  })

  it('may be a conversation, in contents or parts', () => {
    const messages = [
      { role: 'system', content: 'Obey.' },
      { role: 'user', content: '你好' },
      { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
      { role: 'user', parts: [{ type: 'text', text: '今年呢？' }] },
    ]
    expect(vibelife.parse({ messages })).toMatchObject({
      turns: [
        { role: 'user', text: '你好' },
        { role: 'assistant', text: 'Hello.' },
      ],
      message: { parts: [{ type: 'text', text: '今年呢？' }] },
    })
  })

  it('may bring files among its parts, with words or without', () => {
    const picture = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' }
    const words = { type: 'text', text: '这张图' }
    const request = (parts: Json): Json => ({ messages: [{ role: 'user', parts }] })

    expect(vibelife.parse(request([words, picture]))).toMatchObject({ message: { parts: [words, picture] } })
    expect(vibelife.parse(request([picture]))).toMatchObject({ message: { parts: [picture] } })
    expect(() => vibelife.parse(request([{ ...picture, url: 'file:///b.png' }]))).toThrow(
      'messages.0.parts.0.url: must be a data: URL',
    )
  })

  it('may leave what is not chosen empty', () => {
    const empty = { skill: '', voice_mode: '', conversation_id: '', scenario: '', language: '' }

    expect(vibelife.parse({ message: 'x', ...empty })).toEqual(vibelife.parse({ message: 'x' }))
  })

  it('says beside it where it belongs, and what surrounds it', () => {
    const request = {
      message: '看看八字',
      conversation_id: 'evening',
      skill: 'bazi',
      voice_mode: 'wise',
      time_zone: 'Asia/Shanghai',
      language: null,
      birth_info: { date: '1990-05-15', time: '14:30', place: '北京', gender: 'female' },
      context: { page: 'home' },
      options: { stream: false },
    }
    expect(vibelife.parse(request)).toMatchObject({
      thread: 'evening',
      stream: false,
      context: {
        page: 'home',
        skill: 'bazi',
        voiceMode: 'wise',
        timeZone: 'Asia/Shanghai',
        form: {
          info_type: 'birth',
          birthDate: '1990-05-15',
          birthTime: '14:30',
          birthPlace: '北京',
          gender: 'female',
        },
      },
    })
  })

  it.each([
    [{}, 'message is required'],
    [{ message: ' ' }, 'message: the message is empty'],
    [{ message: 1 }, 'message: must be a text'],
    [{ messages: [] }, 'message is required'],
    [{ messages: [{ role: 'assistant', content: 'x' }] }, "messages.0: the last message must be the user's"],
    [{ message: 'x', skill: 7 }, 'skill: must be a text'],
    [{ message: 'x', form: 'birth' }, 'form: must be an object'],
    [{ message: 'x', conversation_id: 'x'.repeat(201) }, 'conversation_id: may have at most 200 characters'],
    [{ message: 'x', skill: 'bazi', context: ['y'] }, 'context: must be an object'],
  ])('is refused where it is %j, naming the field', (body, words) => {
    expect(() => vibelife.parse(body)).toThrow(words)
  })

  it.each([
    [{ voice_mode: 'loud' }, 'context.voiceMode: must be one of warm', 'voice_mode: must be one of warm'],
    [
      { birth_info: { date: 'x' } },
      'context.form.birthDate: must be a date',
      'birth_info.date: must be a date',
    ],
    [
      { form: { birthDate: 'x' } },
      'context.form.birthDate: must be a date',
      'form.birthDate: must be a date',
    ],
    [{ context: { skill: '' } }, 'context.skill: is too short', 'context.skill: is too short'],
    [{ skill: '' }, 'context.skill: is too short', 'skill: is too short'],
    [{ skill: null, context: { skill: '' } }, 'context.skill: is too short', 'context.skill: is too short'],
    [{ birth_info: {} }, 'form.gender must be male', 'birth_info.gender must be male'],
    [{ form: {} }, 'form.gender must be male', 'form.gender must be male'],
    [{ message: 'x' }, 'formal words', 'formal words'],
    ['text', 'context.skill: is too short', 'context.skill: is too short'],
  ])('of %j is refused in its own words', (body, words, theirs) => {
    expect(translateRefusal({ message: words }, body).message).toBe(theirs)
  })
})

it('a refusal of birth data names their field, too', () => {
  const refusal = { message: 'form.birthTime must be a time of day', field: 'birthTime' }

  expect(translateRefusal(refusal, { birth_info: { time: '99' } })).toEqual({
    message: 'birth_info.time must be a time of day',
    field: 'time',
  })
})

function textEvents(partId: string, delta: string): RunEvent[] {
  return [
    { type: 'text.started', partId },
    ...(delta === '' ? [] : [{ type: 'text.delta' as const, partId, delta }]),
    { type: 'text.ended', partId },
  ]
}

function called(input: Json): RunEvent {
  return { type: 'tool.called', callId: 'run_story.1', tool: 'look', input }
}

function framesOf(events: readonly RunEvent[]): unknown[] {
  const encoder = vibelife.encoder({ run, view: {} })
  return logOf(events).flatMap((entry) => encoder(entry).map((frame): unknown => JSON.parse(frame)))
}
