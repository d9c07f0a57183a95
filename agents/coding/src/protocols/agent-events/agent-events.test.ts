import { describe, expect, it } from 'vitest'

import type { RunEvent } from 'dragoman/events'
import { validateAgentEvents } from './validate-agent-events.fixture.ts'
import { describeProtocol } from '../../../../../packages/dragoman/src/protocols/protocol.contract.ts'
import { logOf, run, stories } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { agentEvents } from './index.ts'

describeProtocol(agentEvents, validateAgentEvents)

function typesOf(events: readonly RunEvent[], view = {}): string[] {
  const encoder = agentEvents.encoder({ run, view: agentEvents.view(view, {}) })
  return logOf(events)
    .flatMap((entry) => encoder(entry))
    .map((frame) => (JSON.parse(frame) as { type: string }).type)
}

describe('the encoder of agent-events', () => {
  it('writes frames in the documented order', () => {
    expect(typesOf(stories.tools).join(' ')).toBe(
      'agent_start thinking_start content tool_use tool_use thinking_end tool_update tool_update ' +
        'tool_result tool_result turn_end thinking_start content thinking_end turn_end complete',
    )
  })

  it('opens a message at its first word, and another after a tool ran', () => {
    const call: RunEvent[] = [
      { type: 'tool.called', callId: 'a', tool: 't', input: {} },
      { type: 'tool.executing', callId: 'a' },
    ]
    const text: RunEvent[] = [
      { type: 'text.started', partId: 'p' },
      { type: 'text.delta', partId: 'p', delta: 'x' },
      { type: 'text.ended', partId: 'p' },
    ]

    const another = { type: 'tool.called', callId: 'b', tool: 't', input: {} } as const
    const step: RunEvent = { type: 'step.started', model: 'm' }
    expect(typesOf([step, ...call, another, ...text]).join(' ')).toBe(
      'agent_start thinking_start tool_use thinking_end tool_use thinking_start content',
    )
    expect(typesOf(stories['step limit'])).toEqual(['agent_start', 'turn_end', 'complete'])
  })

  it('omits reasoning if it is not requested', () => {
    expect(typesOf(stories.text)).toContain('thinking')
    expect(typesOf(stories.text, { showThinking: false })).not.toContain('thinking')
    expect(agentEvents.view({}, { showThinking: 'false' })).toEqual({ showThinking: false })
  })

  it.each([
    ['failed', { messages: expect.any(Array) as unknown[] }],
    ['stopped', { stopped: true }],
    ['step limit', { finishReason: 'step-limit' }],
  ] as const)('reports that a run was %s', (story, fields) => {
    const encoder = agentEvents.encoder({ run, view: {} })
    const frames = logOf(stories[story]).flatMap((entry) => encoder(entry))

    expect(JSON.parse(frames.at(-1) ?? '')).toMatchObject({ type: 'complete', ...fields })
    if (story === 'failed')
      expect(JSON.parse(frames.at(-2) ?? '')).toEqual({
        type: 'error',
        error: 'Too many requests.',
        message: 'Too many requests.',
        code: 'rate-limited',
      })
  })

  it('writes tool progress as text', () => {
    const encoder = agentEvents.encoder({ run, view: {} })
    const updates = logOf(stories.tools)
      .flatMap((entry) => encoder(entry))
      .filter((frame) => frame.includes('"tool_update"'))

    expect(updates.map((frame) => (JSON.parse(frame) as { content: string }).content)).toEqual([
      '{"current":1,"total":2}',
      'half',
    ])
  })
})

const request = { message: 'hi', workDir: '/w' }

describe('the parser of agent-events', () => {
  it('reads a request and its folder', () => {
    expect(agentEvents.parse({ ...request, llmConfig: { apiKey: 'SECRET', model: 'm' } })).toEqual({
      turns: [],
      history: [],
      message: { parts: [{ type: 'text', text: 'hi' }] },
      context: { workspaceRoot: '/w' },
      stream: true,
      view: { showThinking: true },
    })
  })

  it.each([
    [{ workDir: '/w' }, 'message is required'],
    [{ message: '', workDir: '/w' }, 'message is required'],
    [{ message: 3, workDir: '/w' }, 'message must be a text'],
    [{ message: 'hi' }, 'workDir is required'],
    [{ message: 'hi', workDir: ' ' }, 'workDir is required'],
    [{ ...request, history: {} }, 'history: must be a list of messages'],
    [{ ...request, history: ['hi'] }, 'history.0: '],
    [
      { ...request, history: [{ role: 'system', content: 'x' }] },
      'history.0.role: must be user, assistant, tool or toolResult',
    ],
    [{ ...request, history: [{ role: 'user' }] }, 'history.0.content: must be a text, or a list of parts'],
    [
      { ...request, history: [{ role: 'user', content: [{ type: 'toolCall' }] }] },
      'history.0.content: 0.type: is no kind of part that may stand here',
    ],
    [{ ...request, history: [{ role: 'user', content: [{ type: 'text' }] }] }, 'history.0.content: 0.text: '],
    [{ ...request, stream: 'no' }, 'stream: '],
  ])('rejects %j and names the field', (body, words) => {
    expect(() => agentEvents.parse(body)).toThrow(expect.objectContaining({ code: 'invalid-request' }))
    expect(() => agentEvents.parse(body)).toThrow(new RegExp(`^${words}`))
  })
})
