import { describe, expect, it } from 'vitest'

import type { EngineEvent } from '../agents/index.ts'
import { noUsage, type Answer, type RunEvent } from '../events/index.ts'
import { transcript } from './transcript.ts'

const failure = { code: 'aborted', message: 'Stopped.', retryable: false }
const say = (events: readonly EngineEvent[]): RunEvent[] => {
  const told = transcript('run_1')
  return events.flatMap((event) => told.accept(event))
}

describe('a transcript', () => {
  it('gives parts and calls ids of ours, unique in the run', () => {
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

  it('has the input of a call streamed that has begun: in one piece, where its model did not', () => {
    const begun = { type: 'tool.started', callId: 'c', tool: 'look' } as const
    const called = { type: 'tool.called', callId: 'c', tool: 'look', input: { at: 'it' } } as const
    const delta = { type: 'tool.delta', callId: 'c', delta: '{"at":"it"}' } as const
    const events = say([begun, called])

    expect(events).toEqual(say([begun, delta, called]))
    expect(say([called]).map(({ type }) => type)).toEqual(['tool.called'])
  })

  it('has one spoken part open at a time: another, or a call, ends it', () => {
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

  it('begins a part anew for a delta that comes after its end', () => {
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

  it('passes over what makes no sense: empty deltas, ends without beginnings, calls told twice', () => {
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

  it('closes parts, calls and step, in that order, with what the step has cost by estimate', () => {
    const told = transcript('run_1')
    for (const event of [
      { type: 'step.started', model: 'm' },
      { type: 'tool.started', callId: 'c', tool: 'look' },
      { type: 'text.started', partId: 'a' },
      { type: 'text.delta', partId: 'a', delta: '一共 four' },
    ] satisfies EngineEvent[]) {
      told.accept(event)
    }

    expect(
      told.closing(
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
    expect(told.usage).toEqual({ inputTokens: 40, outputTokens: 4, estimated: true })
    expect(
      told.closing(
        () => failure,
        () => 40,
      ),
    ).toEqual([])
  })

  it('goes on from a log: what it left open, and its ids', () => {
    const told = transcript('run_1', [
      { type: 'step.started', model: 'm' },
      { type: 'text.started', partId: 'run_1.1' },
      { type: 'tool.called', callId: 'run_1.2', tool: 'look', input: {} },
      { type: 'step.finished', reason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 2 } },
    ])

    expect(told.accept({ type: 'reasoning.started', partId: 'r' })).toEqual([
      { type: 'text.ended', partId: 'run_1.1' },
      { type: 'reasoning.started', partId: 'run_1.3' },
    ])
    expect(told.usage).toEqual({ inputTokens: 1, outputTokens: 2 })
  })

  it('knows an answer to what was asked before from one to what is asked now', () => {
    const told = transcript('run_1')
    const answered = (answer: Answer) => ({ type: 'tool.answered', callId: 'c', answer, by: 'ada' }) as const
    const yes = answered({ kind: 'approval', approved: true })
    const output = answered({ kind: 'output', output: 1 })
    told.note({ type: 'tool.called', callId: 'c', tool: 'pay', input: {} })
    told.note({ type: 'tool.asked', callId: 'c', question: { kind: 'approval' } })
    expect([told.isAsked(yes), told.isAsked(output)]).toEqual([true, false])

    told.note(yes)
    told.note({ type: 'tool.asked', callId: 'c', question: { kind: 'output' } })

    expect([told.isAsked(yes), told.isAsked(output)]).toEqual([false, true])
  })
})
