import { describe, expect, it } from 'vitest'

import type { Json, Message, Run, RunEvent } from 'dragoman/events'
import { describeProtocol } from '../../../dragoman/src/protocols/protocol.contract.ts'
import type { Protocol } from 'dragoman/protocols'
import { historyBefore, logOf, run, stories } from '../../../dragoman/src/protocols/stories.fixture.ts'
import { agUiProtocol, useAi } from './index.ts'
import { validateAgUi1, validateAgUi0, validateUseAi } from './ag-ui-validators.fixture.ts'

const named = { version: '1.0', threadId: 'chat', runId: 'client-1' }
describeProtocol(agUiProtocol, validateAgUi1, { view: named })
describeProtocol(agUiProtocol, validateAgUi0, { name: 'ag-ui-0.x' })
describeProtocol(useAi, validateUseAi)
describeProtocol(useAi, validateUseAi, { name: 'use-ai-watching', view: { watches: true } })

type Word = { readonly type: string; readonly [field: string]: unknown }
type How = { readonly view?: Json; readonly of?: Run; readonly said?: readonly Message[] | undefined }

const newer = { view: { version: '1.0' } }
function encode(
  protocol: Protocol,
  events: readonly RunEvent[],
  { view = {}, of = run, said = historyBefore }: How = {},
) {
  const encoder = protocol.encoder({ run: of, view, before: said })
  return logOf(events)
    .flatMap((entry) => encoder(entry))
    .map((frame) => JSON.parse(frame) as Word)
}

function those(words: readonly Word[], ...types: readonly string[]): Word[] {
  return words.filter(({ type }) => types.includes(type))
}

const usage = { inputTokens: 1, outputTokens: 1 }
const failing = (code: string): RunEvent[] => [
  { type: 'run.failed', failure: { code, message: 'Our sentence.', retryable: true }, usage },
]

describe('the runs of an AG-UI client', () => {
  it("have the client's ids, also after an answer", () => {
    const view = { version: '1.0', threadId: 'chat', runId: 'client-1' }
    const of: Run = { ...run, reply: { protocol: 'use-ai', view } }
    const started = those(encode(agUiProtocol, stories['page tools'], { of, ...newer }), 'RUN_STARTED')

    expect(started.map(({ runId, threadId }) => `${String(threadId)}/${String(runId)}`)).toEqual([
      'chat/client-1',
      'chat/client-2',
      'chat/client-3',
    ])
    // A key of another conversation names nothing here.
    const elsewhere = those(
      encode(agUiProtocol, stories['page tools'], { of: { ...run, threadId: 'conv_2' } }),
      'RUN_STARTED',
    )
    expect(elsewhere.map(({ runId }) => runId)).toEqual(['run_story', 'run_story.18', 'run_story.23'])
    expect(those(encode(useAi, stories['page tools'], { of }), 'RUN_STARTED')).toHaveLength(1)
  })

  it('end when our run waits, with its open calls', () => {
    const ends = (how: How, story: 'questions' | 'page tools') =>
      those(encode(agUiProtocol, stories[story], how), 'RUN_FINISHED').map(({ outcome }) => outcome)
    const [id, expiresAt] = ['run_story.1', '2023-11-14T22:14:46.400Z']
    const interrupt = (more: object) => ({
      type: 'interrupt',
      interrupts: [expect.objectContaining({ id, toolCallId: id, ...more })],
    })
    const pending = (...calls: string[]) => ({ type: 'success', pendingToolCallIds: calls })

    // Once the yes is there, the page's own tool is pending.
    expect(ends(newer, 'questions')).toEqual([interrupt({ expiresAt }), pending('run_story.2'), undefined])
    // A client before 1.0 that knows when a question is over is stuck from then on.
    const older = ends({}, 'questions')
    expect(older).toEqual([interrupt({}), undefined, undefined])
    expect(JSON.stringify(older)).not.toContain('expiresAt')
    expect(ends(newer, 'page tools')).toEqual([
      pending('run_story.2', 'run_story.3'),
      pending('run_story.2'),
      undefined,
    ])
  })

  it('report usage that adds up to that of our run', () => {
    const ends = those(encode(agUiProtocol, stories.questions, newer), 'RUN_FINISHED')
    const used = ends.map((end) => end['usage'])

    expect(used).toMatchObject([
      [{ model: 'offline', totalTokens: 15 }],
      [{ totalTokens: 0 }],
      [{ model: 'offline', totalTokens: 22 }],
    ])
  })

  it('name the provider of each model, and leave what no step has used unnamed', () => {
    const step = (model: string): RunEvent[] => [
      { type: 'step.started', model },
      { type: 'step.finished', reason: 'stop', usage },
    ]
    const events: RunEvent[] = [
      ...step('openrouter/meta/llama'),
      ...step('ollama:llama3:8b'),
      ...step('offline'),
      { type: 'run.finished', reason: 'stop', usage: { inputTokens: 6, outputTokens: 3 } },
    ]

    expect(encode(agUiProtocol, events, newer).at(-1)).toMatchObject({
      usage: [
        { provider: 'openrouter', model: 'meta/llama', totalTokens: 2 },
        { provider: 'ollama', model: 'llama3:8b', totalTokens: 2 },
        { model: 'offline', totalTokens: 2 },
        { inputTokens: 3, outputTokens: 0, totalTokens: 3 },
      ],
    })
  })

  it('send the state before they end with a question', () => {
    const types = encode(agUiProtocol, stories.questions, newer).map(({ type }) => type)
    const end = types.indexOf('RUN_FINISHED')

    expect(types.slice(end - 1, end + 1)).toEqual(['STATE_SNAPSHOT', 'RUN_FINISHED'])
  })

  it('name the run from which the client branched', () => {
    const view = { version: '1.0', threadId: 'chat', runId: 'client-1', parentRunId: 'client-0' }
    const of: Run = { ...run, reply: { protocol: 'ag-ui', view } }
    const started = those(encode(agUiProtocol, stories['page tools'], { of, view }), 'RUN_STARTED')

    expect(started.map(({ parentRunId }) => parentRunId)).toEqual(['client-0', undefined, undefined])
  })
})

describe('a stop', () => {
  const [toldOf, stopped] = [(how: How) => encode(agUiProtocol, stories.stopped, how).at(-1), stories.stopped]

  it('ends a run normally since 1.0, and as an error before and in use-ai', () => {
    const error = {
      type: 'RUN_ERROR',
      message: 'Run aborted by user',
      code: 'abort',
      error: 'Run aborted by user',
    }

    expect(toldOf(newer)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } })
    expect(toldOf({})).toMatchObject(error)
    expect(toldOf({ view: { version: '0.0.59' } })).toMatchObject(error)
    expect(encode(useAi, stopped).at(-1)).toMatchObject(error)
  })
})

describe('a page of use-ai', () => {
  it.each([
    ['rate-limited', 'RATE_LIMITED'],
    ['unavailable', 'API_OVERLOADED'],
    ['model-overloaded', 'API_OVERLOADED'],
    ['model-failed', 'UNKNOWN_ERROR'],
    ['interrupted', 'Our sentence.'],
  ])('gets a failure %s as %s', (code, message) => {
    expect(encode(useAi, failing(code)).at(-1)).toMatchObject({ type: 'RUN_ERROR', message, code })
    expect(encode(agUiProtocol, failing(code)).at(-1)).toMatchObject({ message: 'Our sentence.', code })
  })

  it('gets an error for a run without output', () => {
    const nothing: RunEvent[] = [{ type: 'run.finished', reason: 'stop', usage }]

    expect(encode(useAi, nothing).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'empty-response' })
    expect(encode(agUiProtocol, nothing).at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
  })

  it('is not asked for its tools if another tab runs them', () => {
    const called: RunEvent[] = [
      { type: 'step.started', model: 'm' },
      { type: 'tool.called', callId: 'c', tool: '查看位置', input: {} },
      {
        type: 'tool.failed',
        callId: 'c',
        failure: { code: 'aborted', message: 'Stopped.', retryable: false },
      },
    ]
    const watching = encode(useAi, stories['page tools'], { view: { watches: true } })

    expect(watching.filter(({ type }) => type.startsWith('TOOL_CALL'))).toEqual([])
    expect(those(encode(useAi, called), 'TOOL_CALL_END')).toEqual([])
    expect(those(encode(agUiProtocol, called), 'TOOL_CALL_END')).toHaveLength(1)
  })

  it('gets a tool call that needs an approval after the approval, and complete', () => {
    const words = encode(useAi, stories['a page tool that needs a yes'])
    const args = those(words, 'TOOL_CALL_ARGS')
    const places = words.map(({ type, name, value }) =>
      type === 'CUSTOM' ? `${String(name)} ${(value as { state: string }).state}` : type,
    )

    expect(args.map(({ delta }) => delta)).toEqual(['{"item":3}'])
    expect(places.indexOf('TOOL_CALL_START')).toBeGreaterThan(places.indexOf('question answered'))
  })
})

describe('the history snapshot', () => {
  const snapshot = (of: Run, messages?: readonly Message[], protocol = agUiProtocol) =>
    those(encode(protocol, stories.text, { of, said: messages }), 'MESSAGES_SNAPSHOT')[0]?.['messages']

  it("starts with the client's instructions, and has files as parts", () => {
    const instructions = [
      { id: 's', role: 'system', content: 'Be kind.' },
      { id: 'x', role: 'user', content: 'No instruction.' },
    ]
    const of = { ...run, request: { ...run.request, context: { instructions } } }
    const file = {
      type: 'file',
      url: 'data:image/png;base64,iVBORw==',
      mediaType: 'image/png',
      filename: 'a.png',
    } as const
    const source = { type: 'data', value: 'iVBORw==', mimeType: 'image/png' }

    expect(
      snapshot(of, [
        { role: 'user', id: 'u', clientId: 'theirs', parts: [{ type: 'text', text: 'See:' }, file] },
      ]),
    ).toEqual([
      { id: 's', role: 'system', content: 'Be kind.' },
      {
        id: 'theirs',
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image', source, metadata: { filename: 'a.png' } },
        ],
      },
    ])
  })

  it('is left out if it is larger than clients accept', () => {
    const url = `data:text/plain;base64,${'A'.repeat(9_000_000)}`
    const messages: Message[] = [
      { role: 'user', id: 'u', parts: [{ type: 'file', url, mediaType: 'text/plain' }] },
    ]

    expect(snapshot(run, messages)).toBeUndefined()
    expect(snapshot(run, historyBefore.slice(-1))).toEqual([{ id: 'msg_user', role: 'user', content: 'hi' }])
  })

  it('has one message for each run in use-ai', () => {
    expect(snapshot(run, historyBefore.slice(1, 2), useAi)).toMatchObject([
      { id: 'msg_answer.r1', content: 'Hm.' },
      { id: 'msg_answer', content: 'I look.\n\nA fox.' },
      { id: 'run_past.3.result', content: 'A fox.' },
    ])
  })
})
