import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { flattenAnswers, flattenRequests, readAnswers, readRequests } from './flat-messages.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts'

const delta = fc.record(
  {
    type: fc.constantFrom('text.delta', 'reasoning.delta', 'tool.delta', 'run.finished'),
    partId: fc.string(),
    delta: fc.string(),
    other: fc.integer(),
  },
  { requiredKeys: ['type'] },
)
const condition = fc.option(fc.record({ epoch: fc.integer(), claimFor: fc.string() }, { requiredKeys: [] }), {
  nil: undefined,
})
const request: fc.Arbitrary<WorkerRequest> = fc.record({
  id: fc.nat(),
  operation: fc.constantFrom('append', 'read', 'create', 'watch'),
  args: fc.tuple(fc.string(), fc.array(delta, { maxLength: 2 }), condition),
})
const answer: fc.Arbitrary<WorkerAnswer> = fc.record(
  {
    id: fc.nat(),
    result: fc.oneof(
      fc.record({ seq: fc.nat(), at: fc.nat() }),
      fc.record({ seq: fc.nat(), at: fc.nat(), more: fc.nat() }),
      fc.constant(undefined),
      fc.array(fc.nat()),
    ),
    error: fc.record({ message: fc.string() }),
  },
  { requiredKeys: ['id'] },
)

it('gives the same requests and answers on the other thread', () => {
  fc.assert(
    fc.property(fc.array(request), fc.array(answer), (requests, answers) => {
      expect(readRequests(structuredClone(flattenRequests(requests)))).toEqual(requests)
      expect(readAnswers(structuredClone(flattenAnswers(answers)))).toEqual(answers)
    }),
  )
})

it('has no object in it where a delta is appended', () => {
  const event = { type: 'text.delta', partId: 'run_1.1', delta: '软件 ' } as const
  const flat = flattenRequests([{ id: 7, operation: 'append', args: ['run_1', [event], { epoch: 2 }] }])
  expect(flat.filter((value) => typeof value === 'object')).toEqual([])
  expect(flattenAnswers([{ id: 7, result: { seq: 3, at: 5 } }])).toHaveLength(4)
})
