import { describe, expect, it } from 'vitest'

import { emptyMessage, fold, type Json, type Run, type RunEvent } from 'dragoman/events'
import { logOf, run, stories } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { envelope } from './index.ts'
import { envelopesOf } from './validate-envelopes.fixture.ts'

function encodeAll(events: readonly RunEvent[], view: Json = {}, of: Run = run): string[] {
  const encoder = envelope.encoder({ run: of, view })
  return logOf(events).flatMap((entry) => encoder(entry))
}

/** Of each envelope what its messages say, in short. */
function outline(events: readonly RunEvent[], view: Json = {}, of: Run = run): string[] {
  return envelopesOf(encodeAll(events, view, of)).map(({ msgStatus, messages }) =>
    [
      ...messages.map(
        ({ id, type, value, status }) =>
          `${id.slice(id.lastIndexOf('-') + 1)} ${type} ${JSON.stringify(value)} ${status}`,
      ),
      ...(msgStatus === 'finished' ? ['finished'] : []),
    ].join(' | '),
  )
}

const usage = { inputTokens: 1, outputTokens: 1 }
const say = (delta: string): RunEvent => ({ type: 'text.delta', partId: 'p', delta })
const started: RunEvent = { type: 'text.started', partId: 'p' }
const ended: RunEvent = { type: 'text.ended', partId: 'p' }
const finished: RunEvent = { type: 'run.finished', reason: 'stop', usage }

describe('the envelope encoder', () => {
  it('ends a text when another message begins, and continues it in a new message', () => {
    const input = [{ type: 'text', text: '快点' }] as const
    const userJoined: RunEvent = { type: 'user.joined', messageId: 'msg_2', input }

    expect(outline([started, say('a'), userJoined, say('b'), ended, finished])).toEqual([
      '',
      '0 content "a" generating',
      '0 content "" generated | 1 data ' +
        `${JSON.stringify({ name: 'user-message', id: 'msg_2', data: { messageId: 'msg_2', parts: input } })} ` +
        'generated',
      '2 content "b" generating',
      '2 content "" generated',
      'finished',
    ])
  })

  it('writes a message for an empty text', () => {
    expect(outline([started, ended, finished])).toEqual(['', '0 content "" generated', 'finished'])
  })

  it('replaces data of the same name and id, and omits transient data', () => {
    const card = (value: Json, more: object = {}): RunEvent => ({
      type: 'data',
      name: 'card',
      value,
      ...more,
    })

    expect(
      outline([card(1, { id: 'a' }), card(2), card(3, { id: 'a' }), card(4, { transient: true }), finished]),
    ).toEqual([
      '',
      '0 data {"name":"card","id":"a","data":1} generated',
      '1 data {"name":"card","data":2} generated',
      '0 data {"name":"card","id":"a","data":3} generated',
      'finished',
    ])
  })

  it('writes reasoning only if it is requested', () => {
    expect(encodeAll(stories.text).join()).not.toContain('用户想要')
    expect(outline(stories.text, { showThinking: true })).toContain('0 thinking "用户想要…" generating')
  })

  it('writes one start for a call that runs again after a crash', () => {
    const callId = 'c'
    const executing: RunEvent = { type: 'tool.executing', callId }
    const call = '{"callId":"c","name":"t","args":{}}'

    expect(
      outline([
        { type: 'tool.called', callId, tool: 't', input: {} },
        executing,
        { type: 'tool.progressed', callId, delta: 'line' },
        { type: 'run.resumed', because: 'crash', attempt: 1 },
        executing,
        { type: 'tool.returned', callId, output: 'ok', text: 'ok' },
        finished,
      ]),
    ).toEqual([
      '',
      `0 tool_call_request ${call} generated`,
      `1 tool_execution_start ${call} generating`,
      `1 tool_execution_start {"callId":"c","name":"t","args":{},"output":"line"} generating`,
      `1 tool_execution_start ${call} generating`,
      `1 tool_execution_start ${call} generated | 2 tool_execution_complete ` +
        `{"toolCall":${call},"result":"ok"} generated`,
      'finished',
    ])
  })

  it('lists the referenced files without their content', () => {
    const files = [
      { path: '说明.md', size: 9, text: 'SECRET', truncated: true },
      { path: 'src', entries: ['a'] },
      'odd',
    ]
    const of = { ...run, request: { ...run.request, context: { files } } }
    const references = '{"files":[{"path":"说明.md","size":9,"truncated":true},{"path":"src","size":0}]}'

    expect(outline([finished], {}, of)).toEqual(['', `0 file_references ${references} generated`, 'finished'])
    expect(encodeAll([finished], { legacyEvents: true, responseMode: 'full' }, of).map(typeOf)).toEqual([
      'connected',
      'file_references',
      'generating',
      'finished',
      'stream_end',
    ])
    expect(JSON.stringify(envelope.whole(of, {}, emptyMessage('m')))).toContain(references)
  })

  it.each([
    ['finished', finished, ['finished', 'stream_end']],
    [
      'cut',
      { type: 'run.finished', reason: 'length', usage },
      ['warning', 'generating', 'finished', 'stream_end'],
    ],
    [
      'stopped',
      { type: 'run.cancelled', by: 'u', usage },
      ['cancelled', 'generating', 'finished', 'stream_end'],
    ],
    [
      'failed',
      { type: 'run.failed', failure: { code: 'c', message: 'm', retryable: false }, usage },
      ['error', 'generating', 'finished', 'stream_end'],
    ],
  ] as const)('adds legacy frames to a run that has %s', (_how, end, types) => {
    expect(encodeAll([end], { legacyEvents: true }).map(typeOf)).toEqual([
      'connected',
      'generating',
      ...types,
    ])
  })

  it('writes the whole answer as the last full envelope does, without call starts', () => {
    for (const story of Object.values(stories)) {
      const message = story.reduce(fold, emptyMessage(run.messageId))
      const view = { responseMode: 'full', showThinking: true }
      const last = envelopesOf(encodeAll(story, view)).at(-1)
      const data = last?.messages.filter(
        ({ type }) => type !== 'tool_execution_start' && type !== 'tool_question',
      )
      const whole = envelope.whole(run, view, message) as unknown as NonNullable<typeof last>

      expect(whole.msgStatus).toBe('finished')
      expect(sorted(whole.messages)).toEqual(sorted(data ?? []))
    }
  })
})

function typeOf(text: string): string {
  const { type, msgStatus } = JSON.parse(text) as { type?: string; msgStatus?: string }
  return type ?? msgStatus ?? ''
}

/** An outcome stands with its call there, not where it came. */
function sorted(messages: readonly { type: string; value: unknown; status: string }[]): string[] {
  return messages.map(({ type, value, status }) => JSON.stringify([type, value, status])).toSorted()
}
