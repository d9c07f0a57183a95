import { describe, expect, it } from 'vitest'

import { noUsage, type LogEntry, type RunEvent } from '../events/index.ts'
import { trackAttempt, type RunActivity } from './attempt-tracker.ts'

const usage = { inputTokens: 7, outputTokens: 5 }
const failure = (code: string) => ({ code, message: 'No.', retryable: false })

/** Entries whose number and time are the same. */
function entries(first: number, ...events: readonly RunEvent[]): LogEntry[] {
  return events.map((event, at) => ({ seq: first + at, at: first + at, event }))
}

const started: RunEvent = { type: 'run.started', agent: 'dice', messageId: 'msg_1', input: [] }
const step: RunEvent = { type: 'step.started', model: 'm' }
const delta: RunEvent = { type: 'text.delta', partId: 'p', delta: 'Secret.' }
const called: RunEvent = { type: 'tool.called', callId: 'c1', tool: 'look', input: { secret: 1 } }
const executing: RunEvent = { type: 'tool.executing', callId: 'c1' }
const returned: RunEvent = { type: 'tool.returned', callId: 'c1', output: 'Secret.', text: 'Secret.' }
const ended = (reason: 'stop' | 'tool-calls' | 'interrupted'): RunEvent => ({
  type: 'step.finished',
  reason,
  usage,
})
const failed = (code: string): RunEvent => ({ type: 'run.failed', failure: failure(code), usage })
const cancelled: RunEvent = { type: 'run.cancelled', by: 'ada', usage }

function follow(log: readonly LogEntry[], before: readonly LogEntry[] = [], at = 1): RunActivity[] {
  const of = trackAttempt({ at, isResumed: before.length > 0, earlierEntries: before, requestedModel: 'w' })
  return log.flatMap((entry) => of.take(entry))
}

describe('trackAttempt', () => {
  it('reports the attempt with its model calls and tool calls', () => {
    const log = entries(
      1,
      started,
      step,
      delta,
      called,
      executing,
      delta,
      returned,
      ended('tool-calls'),
      step,
    )
    const rest = entries(10, delta, ended('stop'), { type: 'run.finished', reason: 'stop', usage })

    expect(follow([...log, ...rest])).toEqual([
      { type: 'tool', callId: 'c1', tool: 'look', side: 'server', start: 5, end: 7, waited: 0 },
      { type: 'chat', step: 1, model: 'm', start: 1, first: 2, end: 6, reason: 'tool-calls', usage },
      { type: 'chat', step: 2, model: 'm', start: 8, first: 9, end: 11, reason: 'stop', usage },
      {
        type: 'attempt',
        start: 1,
        end: 12,
        outcome: 'finished',
        reason: 'stop',
        model: 'm',
        steps: 2,
        usage: { inputTokens: 14, outputTokens: 10 },
      },
    ])
  })

  it('ends at a suspension, and measures the wait for the user separately', () => {
    const first = entries(
      ...([1, started, step, called] as const),
      { type: 'tool.asked', callId: 'c1', question: { kind: 'approval' } },
      ended('tool-calls'),
      { type: 'run.waiting', calls: ['c1'] },
    )
    const answer = { kind: 'approval', approved: true } as const
    const between = entries(1007, { type: 'tool.answered', callId: 'c1', answer, by: 'ada' })
    const second = entries(1008, { type: 'run.resumed', because: 'answer', attempt: 0 }, executing, returned)

    expect(follow(first)).toMatchObject([{ type: 'chat' }, { outcome: 'waiting', end: 6, steps: 1 }])
    expect(follow(second, [...first, ...between], 1008)).toEqual([
      { type: 'tool', callId: 'c1', tool: 'look', side: 'server', start: 1009, end: 1010, waited: 1003 },
    ])
  })

  it('measures a client tool from question to answer', () => {
    const question: RunEvent = { type: 'tool.asked', callId: 'c1', question: { kind: 'output' } }
    const answer = { kind: 'output', output: 'Secret.' } as const
    const answered: RunEvent = { type: 'tool.answered', callId: 'c1', answer, by: 'ada' }

    expect(follow(entries(1, started, step, called, question, answered, returned))).toMatchObject([
      { tool: 'look', side: 'client', start: 4, end: 5, waited: 0 },
    ])
  })

  it('reports failed tools, and tools that never ran', () => {
    const refused: RunEvent = { type: 'tool.failed', callId: 'c1', failure: failure('denied') }

    expect(follow(entries(1, started, step, called, executing, refused))).toMatchObject([
      { side: 'server', error: 'denied' },
    ])
    expect(follow(entries(1, started, step, called, refused))).toMatchObject([
      { side: 'none', start: 3, end: 4, error: 'denied' },
    ])
  })

  it.each([
    ['a stop', cancelled, undefined, { outcome: 'cancelled' }],
    ['a failure', failed('model-failed'), 'model-failed', { outcome: 'failed', error: 'model-failed' }],
  ])('reports %s at the interrupted step', (_, event, error, outcome) => {
    const [chat, whole] = follow(entries(1, started, step, delta, ended('interrupted'), event))

    expect(chat).toMatchObject({ type: 'chat', reason: 'interrupted', end: 3 })
    expect(chat?.error).toBe(error)
    expect(whole).toMatchObject({ type: 'attempt', ...outcome, usage })
  })

  it('reports a model that failed before its first output', () => {
    expect(follow(entries(1, started, failed('model-unauthorized')))).toEqual([
      { type: 'chat', step: 1, model: 'w', start: 1, end: 2, usage: noUsage, error: 'model-unauthorized' },
      expect.objectContaining({ outcome: 'failed', error: 'model-unauthorized', steps: 1 }),
    ])
    expect(follow(entries(1, started, failed('internal')))).toMatchObject([{ outcome: 'failed' }])
  })

  it('reports after a crash what was in progress', () => {
    const before = entries(1, started, step, called, executing)
    const outcome: RunEvent = { type: 'tool.failed', callId: 'c1', failure: failure('outcome-unknown') }
    const log = entries(
      100,
      { type: 'run.resumed', because: 'crash', attempt: 1 },
      ended('interrupted'),
      outcome,
    )

    expect(follow(log, before, 99)).toEqual([
      expect.objectContaining({ type: 'chat', step: 1, start: 1, end: 3, error: 'interrupted' }),
      expect.objectContaining({ type: 'tool', start: 4, end: 102, error: 'outcome-unknown' }),
    ])
  })

  it('ends if another process continues the run, or if the run is released', () => {
    const mine = entries(1, started, step, delta)
    const theirs = entries(9, { type: 'run.resumed', because: 'crash', attempt: 1 })
    const of = trackAttempt({ at: 1, isResumed: false, earlierEntries: [], requestedModel: undefined })
    for (const entry of mine) of.take(entry)

    expect(of.release()).toMatchObject([{ outcome: 'left', end: 3 }])
    expect(follow([...mine, ...theirs])).toMatchObject([{ outcome: 'left', end: 3 }])
  })
})
