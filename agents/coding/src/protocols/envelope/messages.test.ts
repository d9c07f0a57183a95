import { describe, expect, it } from 'vitest'

import { emptyMessage, fold, type Json, type Run, type RunEvent } from 'dragoman/events'
import { logOf, run, stories } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { envelope } from './index.ts'
import { envelopesOf } from './judge.fixture.ts'

function written(events: readonly RunEvent[], view: Json = {}, of: Run = run): string[] {
  const encoder = envelope.encoder({ run: of, view })
  return logOf(events).flatMap((entry) => encoder(entry))
}

/** Of each envelope what its messages say, in short. */
function told(events: readonly RunEvent[], view: Json = {}, of: Run = run): string[] {
  return envelopesOf(written(events, view, of)).map(({ msgStatus, messages }) =>
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
const begun: RunEvent = { type: 'text.started', partId: 'p' }
const ended: RunEvent = { type: 'text.ended', partId: 'p' }
const finished: RunEvent = { type: 'run.finished', reason: 'stop', usage }

describe('the messages of an envelope', () => {
  it('end a text where another comes amid it, and go on in one of their own', () => {
    const input = [{ type: 'text', text: '快点' }] as const
    const joined: RunEvent = { type: 'user.joined', messageId: 'msg_2', input }

    expect(told([begun, say('a'), joined, say('b'), ended, finished])).toEqual([
      '',
      '0 content "a" generating',
      `0 content "" generated | 1 data ${JSON.stringify({ name: 'user-message', id: 'msg_2', data: { messageId: 'msg_2', parts: input } })} generated`,
      '2 content "b" generating',
      '2 content "" generated',
      'finished',
    ])
  })

  it('are there for a text that says nothing', () => {
    expect(told([begun, ended, finished])).toEqual(['', '0 content "" generated', 'finished'])
  })

  it('replace data of the same name and id, and leave out what is shown once', () => {
    const card = (value: Json, more: object = {}): RunEvent => ({
      type: 'data',
      name: 'card',
      value,
      ...more,
    })

    expect(
      told([card(1, { id: 'a' }), card(2), card(3, { id: 'a' }), card(4, { transient: true }), finished]),
    ).toEqual([
      '',
      '0 data {"name":"card","id":"a","data":1} generated',
      '1 data {"name":"card","data":2} generated',
      '0 data {"name":"card","id":"a","data":3} generated',
      'finished',
    ])
  })

  it('say what is thought only where that is wanted', () => {
    expect(written(stories.text).join()).not.toContain('用户想要')
    expect(told(stories.text, { showThinking: true })).toContain('0 thinking "用户想要…" generating')
  })

  it('begin one start for a call that is run once more after a crash', () => {
    const callId = 'c'
    const executing: RunEvent = { type: 'tool.executing', callId }
    const call = '{"callId":"c","name":"t","args":{}}'

    expect(
      told([
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
      `1 tool_execution_start ${call} generated | 2 tool_execution_complete {"toolCall":${call},"result":"ok"} generated`,
      'finished',
    ])
  })

  it('name the files that the user has named, without what stands in them', () => {
    const files = [
      { path: '说明.md', text: 'SECRET', truncated: true },
      { path: 'src', entries: ['a'] },
      'odd',
    ]
    const of = { ...run, request: { ...run.request, context: { files } } }
    const references = '[{"path":"说明.md","truncated":true},{"path":"src"}]'

    expect(told([finished], {}, of)).toEqual(['', `0 file_references ${references} generated`, 'finished'])
    expect(written([finished], { legacyEvents: true, responseMode: 'full' }, of).map(typeOf)).toEqual([
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
  ] as const)(
    'stand among the older frames of a run that has %s, where those are wanted',
    (_how, end, types) => {
      expect(written([end], { legacyEvents: true }).map(typeOf)).toEqual([
        'connected',
        'generating',
        ...types,
      ])
    },
  )

  it('tell the whole as the last full envelope does, but for the starts of calls', () => {
    for (const story of Object.values(stories)) {
      const message = story.reduce(fold, emptyMessage(run.messageId))
      const view = { responseMode: 'full', showThinking: true }
      const last = envelopesOf(written(story, view)).at(-1)
      const kept = last?.messages.filter(
        ({ type }) => type !== 'tool_execution_start' && type !== 'tool_question',
      )
      const whole = envelope.whole(run, view, message) as unknown as NonNullable<typeof last>

      expect(whole.msgStatus).toBe('finished')
      expect(sorted(whole.messages)).toEqual(sorted(kept ?? []))
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
