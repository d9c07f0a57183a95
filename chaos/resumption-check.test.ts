import { expect, it } from 'vitest'

import type { LogEntry, RunEvent } from '../packages/dragoman/src/index.ts'
import { resumptionMistakes } from './resumption-check.ts'

const entriesOf = (event: RunEvent): LogEntry[] => [{ seq: 2, at: 0, event }]

it('finds a run that is resumed without a strike', () => {
  const crash = entriesOf({ type: 'run.resumed', because: 'crash', attempt: 1 })
  const answer = entriesOf({ type: 'run.resumed', because: 'answer', attempt: 0 })

  expect(resumptionMistakes({ entries: crash, struck: false })).toEqual([
    'entry 2 resumes it after a crash, and no server was struck',
  ])
  const shutdown = entriesOf({ type: 'run.resumed', because: 'shutdown', attempt: 0 })
  expect(resumptionMistakes({ entries: shutdown, struck: false })).toHaveLength(1)
  expect(resumptionMistakes({ entries: crash, struck: true })).toEqual([])
  expect(resumptionMistakes({ entries: answer, struck: false })).toEqual([])
})
