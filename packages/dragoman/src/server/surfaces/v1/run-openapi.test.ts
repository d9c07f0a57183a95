import { describe, expect, it } from 'vitest'

import { answerBody } from './run-openapi.ts'

it('takes an output that the client left out as null', () => {
  const body = { callId: 'run_1.2', answer: { kind: 'output' } }

  expect(answerBody.parse(body).answer).toEqual({ kind: 'output', output: null })
})

describe('an approval in a request of /v1', () => {
  it.each(['args', 'editedArgs'])('has no field %s', (field) => {
    const answer = { kind: 'approval', approved: true, [field]: { amount: 8 } }
    const { error } = answerBody.safeParse({ callId: 'run_1.2', answer })

    expect(error?.issues[0]?.message).toBe(
      `${field}: there is no such field next to approved and reason. Edited arguments are in input.`,
    )
  })
})
