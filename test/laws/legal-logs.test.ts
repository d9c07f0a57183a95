import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { RunEvent } from '../../packages/dragoman/src/events/index.ts'
import { findLogError } from '../../packages/dragoman/src/protocols/log-validator.fixture.ts'
import { anyLogs, completeLogs } from '../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { logOf, stories } from '../../packages/dragoman/src/protocols/stories.fixture.ts'
import { RUNS } from './runs.ts'

const eventsOf = (log: readonly { event: RunEvent }[]): RunEvent[] => log.map(({ event }) => event)

describe('generated logs', () => {
  it('are legal, complete or cut short', () => {
    fc.assert(
      fc.property(completeLogs, anyLogs, (whole, cut) => {
        expect(findLogError(eventsOf(whole), { complete: true })).toBeUndefined()
        expect(findLogError(eventsOf(cut), { complete: false })).toBeUndefined()
      }),
      RUNS,
    )
  })

  it('become illegal if a structural entry is missing or repeated', () => {
    fc.assert(
      fc.property(completeLogs, fc.nat(), (log, pick) => {
        const events = eventsOf(log)
        const index = pick % events.length
        const event = events[index]
        fc.pre(event !== undefined && isBinding(event, events.slice(index)))
        expect(findLogError(events.toSpliced(index, 1), { complete: true }), event.type).toBeDefined()
        expect(findLogError(events.toSpliced(index, 0, event), { complete: true }), event.type).toBeDefined()
      }),
      RUNS,
    )
  })

  it('contain every event type', () => {
    const types = new Set(fc.sample(completeLogs, RUNS).flatMap((log) => log.map(({ event }) => event.type)))
    const words: Readonly<Record<RunEvent['type'], true>> = {
      'run.started': true,
      'run.waiting': true,
      'run.resumed': true,
      'user.joined': true,
      'run.stop-requested': true,
      'step.started': true,
      'step.finished': true,
      'text.started': true,
      'reasoning.started': true,
      'text.delta': true,
      'reasoning.delta': true,
      'text.ended': true,
      'reasoning.ended': true,
      'state.changed': true,
      'tool.started': true,
      'tool.delta': true,
      'tool.called': true,
      'tool.asked': true,
      'tool.answered': true,
      'tool.executing': true,
      'tool.progressed': true,
      'tool.returned': true,
      'tool.failed': true,
      data: true,
      source: true,
      file: true,
      custom: true,
      'run.finished': true,
      'run.failed': true,
      'run.cancelled': true,
    }

    expect([...types].toSorted()).toEqual(Object.keys(words).toSorted())
  })

  it('contain calls that need an approval and then an output', () => {
    const questions = fc.sample(completeLogs, RUNS).flatMap((log) => {
      const ids = log.flatMap(({ event }) => (event.type === 'tool.asked' ? [event.callId] : []))
      return ids.filter((callId, index) => ids.indexOf(callId) < index)
    })
    expect(questions.length).toBeGreaterThan(10)
  })

  it.each(Object.entries(stories))('have the same structure as the story of %s', (_story, events) => {
    expect(findLogError(eventsOf(logOf(events)), { complete: true })).toBeUndefined()
  })
})

/** True for an entry that a legal log has exactly once. Without any other entry, a call may just have failed. */
function isBinding({ type }: RunEvent, rest: readonly RunEvent[]): boolean {
  // One that is stopped while it waits could as well have been stopped before.
  if (type === 'run.waiting') return rest.some((later) => isAnswered(later))
  return (
    /^run\.(started|finished|failed|cancelled)$|^step\./.test(type) ||
    /^(text|reasoning)\.(started|ended)$|^tool\.(returned|failed)$/.test(type)
  )
}

function isAnswered(event: RunEvent): boolean {
  return event.type === 'run.resumed' && event.because === 'answer'
}
