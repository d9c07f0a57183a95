import { describe, expect, it } from 'vitest'

import type { EngineEvent } from '../agents/index.ts'
import { noUsage, type Answer, type RunEvent } from '../events/index.ts'
import { createRunTracker } from './run-tracker.ts'

const failure = { code: 'aborted', message: 'Stopped.', retryable: false }
const say = (events: readonly EngineEvent[]): RunEvent[] => {
  const tracker = createRunTracker('run_1')
  const callIds = new Map<string, string>()
  return events.flatMap((event) => tracker.accept(event, callIds))
}

describe('a run tracker', () => {
  it('gives parts and calls ids that are unique in the run', () => {
    const events = say([
      { type: 'step.started', model: 'm' },
      { type: 'text.started', partId: 't' },
      { type: 'text.delta', partId: 't', delta: 'a' },
      { type: 'text.ended', partId: 't' },
      { type: 'tool.started', callId: 'c', tool: 'look' },
      { type: 'tool.called', callId: 'c', tool: 'look', input: {} },
      { type: 'text.started', partId: 't' },
    ])

    expect(
      events.map((event) => ('partId' in event ? event.partId : 'callId' in event ? event.callId : '')),
    ).toEqual(['', 'run_1.1', 'run_1.1', 'run_1.1', 'run_1.2', 'run_1.2', 'run_1.2', 'run_1.3'])
  })

  it('streams the input of a started call in one piece if the model did not stream it', () => {
    const started = { type: 'tool.started', callId: 'c', tool: 'look' } as const
    const called = { type: 'tool.called', callId: 'c', tool: 'look', input: { at: 'it' } } as const
    const delta = { type: 'tool.delta', callId: 'c', delta: '{"at":"it"}' } as const
    const events = say([started, called])

    expect(events).toEqual(say([started, delta, called]))
    expect(say([called]).map(({ type }) => type)).toEqual(['tool.called'])
  })

  it('ends the open part when another part or a call starts', () => {
    const events = say([
      { type: 'text.started', partId: 'a' },
      { type: 'reasoning.started', partId: 'b' },
      { type: 'tool.called', callId: 'c', tool: 'look', input: {} },
    ])

    expect(events.map(({ type }) => type)).toEqual([
      'text.started',
      'text.ended',
      'reasoning.started',
      'reasoning.ended',
      'tool.called',
    ])
  })

  it('starts a new part for a delta that comes after its part’s end', () => {
    const events = say([
      { type: 'text.started', partId: 'a' },
      { type: 'tool.called', callId: 'c', tool: 'look', input: {} },
      { type: 'text.delta', partId: 'a', delta: 'late' },
    ])

    expect(events.slice(-2)).toEqual([
      { type: 'text.started', partId: 'run_1.3' },
      { type: 'text.delta', partId: 'run_1.3', delta: 'late' },
    ])
  })

  it('ignores empty deltas, ends without starts, and repeated calls', () => {
    const call: EngineEvent = { type: 'tool.called', callId: 'c', tool: 'look', input: {} }
    const events = say([
      { type: 'text.ended', partId: 'a' },
      { type: 'step.finished', reason: 'stop', usage: noUsage },
      { type: 'tool.delta', callId: 'x', delta: '{' },
      call,
      call,
      { type: 'text.started', partId: 'a' },
      { type: 'text.delta', partId: 'a', delta: '' },
    ])

    expect(events.map(({ type }) => type)).toEqual(['tool.called', 'text.started'])
  })

  it('closes the part, the calls and the step, in that order, with an estimated usage', () => {
    const tracker = createRunTracker('run_1')
    for (const event of [
      { type: 'step.started', model: 'm' },
      { type: 'tool.started', callId: 'c', tool: 'look' },
      { type: 'text.started', partId: 'a' },
      { type: 'text.delta', partId: 'a', delta: '一共 four' },
    ] satisfies EngineEvent[]) {
      tracker.accept(event, new Map())
    }

    expect(
      tracker.close(
        () => failure,
        () => 40,
      ),
    ).toEqual([
      { type: 'text.ended', partId: 'run_1.2' },
      { type: 'tool.failed', callId: 'run_1.1', failure },
      {
        type: 'step.finished',
        reason: 'interrupted',
        usage: { inputTokens: 40, outputTokens: 4, estimated: true },
      },
    ])
    expect(tracker.usage).toEqual({ inputTokens: 40, outputTokens: 4, estimated: true })
    expect(
      tracker.close(
        () => failure,
        () => 40,
      ),
    ).toEqual([])
  })

  it('continues the ids of a log and closes what the log left open', () => {
    const tracker = createRunTracker('run_1', [
      { type: 'step.started', model: 'm' },
      { type: 'text.started', partId: 'run_1.1' },
      { type: 'tool.called', callId: 'run_1.2', tool: 'look', input: {} },
      { type: 'step.finished', reason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 2 } },
    ])

    expect(tracker.accept({ type: 'reasoning.started', partId: 'r' }, new Map())).toEqual([
      { type: 'text.ended', partId: 'run_1.1' },
      { type: 'reasoning.started', partId: 'run_1.3' },
    ])
    expect(tracker.usage).toEqual({ inputTokens: 1, outputTokens: 2 })
  })

  it('tells an answer to an earlier question from one to the open question', () => {
    const tracker = createRunTracker('run_1')
    const answered = (answer: Answer) => ({ type: 'tool.answered', callId: 'c', answer, by: 'ada' }) as const
    const yes = answered({ kind: 'approval', approved: true })
    const output = answered({ kind: 'output', output: 1 })
    tracker.note({ type: 'tool.called', callId: 'c', tool: 'pay', input: {} })
    tracker.note({ type: 'tool.asked', callId: 'c', question: { kind: 'approval' } })
    expect([tracker.calls.isAsked(yes), tracker.calls.isAsked(output)]).toEqual([true, false])

    tracker.note(yes)
    tracker.note({ type: 'tool.asked', callId: 'c', question: { kind: 'output' } })

    expect([tracker.calls.isAsked(yes), tracker.calls.isAsked(output)]).toEqual([false, true])
  })
})
