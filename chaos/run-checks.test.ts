import { describe, expect, it } from 'vitest'

import { toFailure } from '../packages/dragoman/src/errors.ts'
import { noUsage } from '../packages/dragoman/src/events/index.ts'
import { ServiceError, type LogEntry, type RunEvent } from '../packages/dragoman/src/index.ts'
import {
  callId,
  endedRun,
  events,
  framesChanged,
  interrupted,
  logOf,
  readOtherwise,
  usage,
} from './ended-run.fixture.ts'
import type { Reading } from './read-run.ts'
import { findMistakes, type EndedRun } from './run-checks.ts'
import { BROKEN } from './story.ts'

describe('a correct run', () => {
  it('passes all checks', async () => {
    expect(findMistakes(await endedRun(logOf(events)))).toEqual([])
  })
})

describe('the check of a log', () => {
  it.each<[fault: string, broken: readonly LogEntry[], sentence: string]>([
    ['with two ends', logOf([...events, ...events.slice(-1)]), 'the log has 2 terminal entries: 15, 16'],
    ['without an end', logOf(events.slice(0, -1)), 'the log has 0 terminal entries: none'],
    ['with a gap', logOf(events).toSpliced(3, 1), 'entry 4 of the log has the number 5'],
    [
      'with an entry twice',
      logOf(events).toSpliced(3, 0, ...logOf(events).slice(3, 4)),
      'entry 5 of the log has the number 4',
    ],
    [
      'that goes back in time',
      logOf(events).with(5, { ...(logOf(events)[5] as LogEntry), at: 1 }),
      'entry 6 is older',
    ],
    ['that is not legal', logOf(events.toSpliced(8, 1)), 'the log is not legal'],
    [
      'whose end is not its last',
      logOf([...events, { type: 'run.stop-requested', by: 'me' }]),
      'entry 15 is terminal, and not the last',
    ],
    ['with a word twice', logOf(events.toSpliced(3, 0, ...events.slice(3, 4))), 'the text leaves the story'],
    ['without a word', logOf(events.toSpliced(11, 1)), 'it finished, and its text lacks'],
    ['without a call', logOf(events.toSpliced(5, 3)), 'it finished, and 1-0/0/0 was never called'],
    [
      'with a call twice',
      logOf(events.toSpliced(8, 0, ...events.slice(5, 8).map(asAnother))),
      '1-0/0/0 was called twice',
    ],
  ])('finds a log %s', async (_fault, broken, sentence) => {
    expect(findMistakes(await endedRun(broken)).join('\n')).toContain(sentence)
  })

  it.each<[fault: string, end: RunEvent, sentence: string]>([
    ['cancelled', { type: 'run.cancelled', by: 'me', usage }, 'it was cancelled, and nobody stopped it'],
    [
      'interrupted',
      { type: 'run.failed', failure: interrupted, usage },
      'it was given up, and too few servers were struck',
    ],
    [
      'failed',
      { type: 'run.failed', failure: toFailure(new ServiceError('model-failed', BROKEN)), usage },
      'it failed: model-failed',
    ],
  ])('finds a run that is %s without a reason', async (_fault, end, sentence) => {
    expect(findMistakes(await endedRun(logOf([...events.slice(0, -1), end])))).toContainEqual(
      expect.stringContaining(sentence),
    )
  })

  it('accepts a run that was given up after enough kills', async () => {
    const log = logOf([...events.slice(0, -1), { type: 'run.failed', failure: interrupted, usage }])
    expect(findMistakes(await endedRun(log, { struck: true, mayBeGivenUp: true }))).toEqual([])
  })

  it('accepts what is open in a run that was ended unread, after enough kills', async () => {
    const end: RunEvent = { type: 'run.failed', failure: interrupted, usage: noUsage }
    const log = logOf([...events.slice(0, 7), end])
    expect(findMistakes(await endedRun(log, { struck: true, mayBeGivenUp: true }))).toEqual([])
    expect(findMistakes(await endedRun(log)).join('\n')).toContain('run.failed: something is open')
  })

  it('finds a tool that failed without a reason', async () => {
    const failure = toFailure(new ServiceError('outcome-unknown', 'Nobody knows.'))
    const log = logOf(events.with(7, { type: 'tool.failed', callId, failure }))
    expect(findMistakes(await endedRun(log)).join()).toContain('write (run_story.2) failed: outcome-unknown')
    expect(findMistakes(await endedRun(log, { struck: true }))).toEqual([])
  })
})

function asAnother(event: RunEvent): RunEvent {
  return 'callId' in event ? { ...event, callId: 'run_story.9' } : event
}

describe('the check of readers', () => {
  it.each(['native', 'ui-message-stream', 'data-stream', 'eve'])(
    'finds lost, repeated and wrong frames of %s',
    async (protocol) => {
      const run = await endedRun(logOf(events))
      const faults = [
        framesChanged((frames) => frames.toSpliced(3, 1)),
        framesChanged((frames) => frames.toSpliced(3, 0, ...frames.slice(3, 4))),
        framesChanged((frames) => frames.slice(0, -1)),
        framesChanged((frames) => [...frames.slice(0, -1), ...frames.slice(0, 1)]),
      ]
      for (const fault of faults) {
        expect(findMistakes(readOtherwise(run, protocol, fault)).join()).toMatch(/reader \d, of .*, was sent/)
      }
    },
  )

  it('allows another history of a run that was stopped in the queue, and of no other', async () => {
    const stop = { type: 'run.stop-requested', by: 'ada' } as const
    const log = logOf([...events.slice(0, 1), stop, { type: 'run.cancelled', by: 'ada', usage }])
    const mistakes = async (run: EndedRun): Promise<string[]> => {
      const whole = run.wholes['ag-ui']
      if (!whole) throw new Error('There is no whole of ag-ui.')
      const withHistory = (words: string) => {
        const [frame, ...others] = whole.frames
        const text = `data: {"type":"MESSAGES_SNAPSHOT","messages":["${words}"]}`
        return frame ? [frame, { ...frame, text }, ...others] : []
      }
      const wholes = { ...run.wholes, 'ag-ui': { ...whole, frames: withHistory('An answer.') } }
      const visit = { after: undefined, frames: withHistory('An'), end: 'closed' } as const
      return findMistakes({ ...run, wholes, readings: [{ protocol: 'ag-ui', visits: [visit] }] })
    }

    expect(await mistakes(await endedRun(log, { stopped: true }))).toEqual([])
    expect(await mistakes(await endedRun(logOf(events)))).toEqual([
      expect.stringContaining('of ag-ui, was sent on visit 1'),
    ])
  })

  it('finds an entry that was sent and is not in the log', async () => {
    const run = await endedRun(logOf(events))
    const lost = { ...run, entries: logOf(events.toSpliced(3, 1)) }
    expect(findMistakes(lost)).toContainEqual(
      expect.stringContaining('was shown entry 4, which is not in the log'),
    )
  })

  it('finds a body that ended cleanly while the run continued', async () => {
    const early = (reading: Reading): Reading => {
      const [{ frames } = { frames: [] }] = reading.visits
      return {
        protocol: reading.protocol,
        visits: [
          { after: undefined, frames: frames.slice(0, 4), end: 'closed' },
          { after: frames[3]?.cursor, frames: frames.slice(4), end: 'closed' },
        ],
      }
    }
    const run = readOtherwise(await endedRun(logOf(events)), 'eve', early)
    expect(findMistakes(run)).toEqual([
      expect.stringContaining('was sent a clean end on visit 1, after 4 of'),
    ])
  })

  it('finds a protocol whose content differs', async () => {
    const run = await endedRun(logOf(events))
    const readings = run.wholes['eve'] ?? { frames: [], content: { text: '', reasoning: '', calls: {} } }
    const wholes = {
      ...run.wholes,
      eve: { ...readings, content: { ...readings.content, text: 'Other words.' } },
    }
    expect(findMistakes({ ...run, wholes })).toEqual([
      expect.stringContaining('text in eve is "Other words."'),
    ])
  })
})

describe('the check of answers', () => {
  it('finds an accepted answer that is not in the log', async () => {
    const countedApproval = { callId, approved: true, counted: true }
    const run = await endedRun(logOf(events))
    expect(findMistakes({ ...run, answers: [countedApproval] })).toEqual([
      `"yes" to ${callId} counted, and is not in the log`,
    ])
    expect(findMistakes({ ...run, answers: [{ ...countedApproval, counted: false }] })).toEqual([])
  })

  it('finds a second accepted answer', async () => {
    const answer = { kind: 'approval', approved: true } as const
    const answered: RunEvent = { type: 'tool.answered', callId, answer, by: 'user' }
    const questionEvent: RunEvent = { type: 'tool.asked', callId, question: { kind: 'approval' } }
    const run = await endedRun(logOf(events.toSpliced(6, 0, questionEvent, answered)))
    const answers = [true, false].map((approved) => ({ callId, approved, counted: true }))
    expect(findMistakes({ ...run, answers: answers.slice(0, 1) })).toEqual([])
    expect(findMistakes({ ...run, answers })).toEqual([`"no" to ${callId} counted, and is not in the log`])
  })
})
