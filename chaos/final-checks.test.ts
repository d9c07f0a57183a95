import { describe, expect, it } from 'vitest'

import type { LogEntry, RunEvent } from '../packages/dragoman/src/index.ts'
import type { ToolEffect } from './story-tools.ts'
import { effectMistakes, overlapMistakes, spanOf, type Span } from './final-checks.ts'

const callId = 'run_story.2'
const effect: ToolEffect = { key: 'run_story/2', callId, place: '1-0/0/0', tool: 'write' }
const called: RunEvent = { type: 'tool.called', callId, tool: 'write', input: { place: '1-0/0/0' } }
const executing: RunEvent = { type: 'tool.executing', callId }
const done: RunEvent = { type: 'tool.returned', callId, output: null, text: 'write' }
const failure = { code: 'outcome-unknown', message: 'Nobody knows.', retryable: false }

function logOf(...events: readonly RunEvent[]): LogEntry[] {
  return events.map((event, index) => ({ seq: index + 1, at: 1000 + index, event }))
}

describe('effectMistakes', () => {
  const returned = logOf(called, executing, done)
  const unknown = logOf(called, executing, { type: 'tool.failed', callId, failure })
  const neverBegun = logOf(called, { type: 'tool.failed', callId, failure })

  it.each<[fault: string, log: readonly LogEntry[], effects: readonly ToolEffect[], sentence: string]>([
    ['that did its work twice', returned, [effect, effect], 'did its work 2 times'],
    [
      'that was called again elsewhere',
      unknown,
      [effect, { ...effect, callId: 'run_story.7' }],
      'did its work 2 times',
    ],
    ['that returned and did nothing', returned, [], 'returned, and did nothing'],
    ['that was not to begin', neverBegun, [effect], 'did its work before it was to begin'],
    ['that has two keys', returned, [effect, { ...effect, key: 'other' }], 'was given more than one key'],
  ])('finds a tool %s', (_fault, log, effects, sentence) => {
    expect(effectMistakes(log, effects).join()).toContain(sentence)
  })

  it('accepts effects that match the outcomes', () => {
    expect(effectMistakes(returned, [effect])).toEqual([])
    expect(effectMistakes(unknown, [effect])).toEqual([])
    expect(effectMistakes(unknown, [])).toEqual([])
  })

  it('accepts repeated effects of idempotent tools', () => {
    const put = logOf({ ...called, tool: 'put' }, executing, done)
    expect(effectMistakes(put, [effect, effect])).toEqual([])
  })
})

describe('overlapMistakes', () => {
  const span = (runId: string, from: number, to: number, thread = 'chaos-1'): Span => ({
    thread,
    runId,
    from,
    to,
  })

  it('finds two active runs of a thread', () => {
    expect(overlapMistakes([span('b', 5, 9), span('a', 1, 6)])).toEqual([
      'thread chaos-1: run b began before run a had ended',
    ])
    expect(overlapMistakes([span('b', 6, 9), span('a', 1, 6), span('c', 2, 3, 'chaos-2')])).toEqual([])
  })

  it('ignores runs that waited in the queue', () => {
    const started: RunEvent = { type: 'run.started', agent: 'pi', messageId: 'msg_user', input: [] }
    const step: RunEvent = { type: 'step.started', model: 'chaos:teller' }
    expect(spanOf('chaos-1', { runId: 'a', entries: logOf(started, step, called) })).toEqual([
      span('a', 1001, 1002),
    ])
    expect(spanOf('chaos-1', { runId: 'a', entries: logOf(started) })).toEqual([])
  })
})
