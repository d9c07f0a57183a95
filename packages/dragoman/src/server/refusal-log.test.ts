import { expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { createRefusalLog } from './refusal-log.ts'

const MINUTE = 60_000

function open() {
  let now = 0
  const lines: object[] = []
  const log = createRefusalLog(
    {
      node: 'a/1',
      alert: (fields, message) => lines.push({ ...fields, message }),
      userField: (userId) => (userId === undefined ? {} : { user: `hash of ${userId}` }),
    },
    () => now,
  )
  const refuse = (userId: string | undefined, code: 'quota-exceeded' | 'overloaded' | 'not-found') =>
    log.note({ error: new ServiceError(code, 'No.'), userId, route: '/v1/runs/:id' })
  const forward = async (ms: number): Promise<void> => {
    now += ms
    const over = new AbortController()
    const keeping = log.keepUp(over.signal)
    over.abort()
    await keeping
  }
  return { lines, refuse, forward }
}

it('says a refusal at once, and further ones of the user and kind once a minute, with their number', async () => {
  const { lines, refuse, forward } = open()

  for (let n = 0; n < 50; n += 1) refuse('ada', 'quota-exceeded')
  refuse('ada', 'overloaded')
  refuse('bob', 'quota-exceeded')
  refuse(undefined, 'overloaded')
  await forward(MINUTE - 1)
  expect(lines).toMatchObject([
    {
      message: 'request refused',
      user: 'hash of ada',
      kind: 'quota',
      count: 1,
      reason: 'No.',
      route: '/v1/runs/:id',
      node: 'a/1',
    },
    { user: 'hash of ada', kind: 'overload', count: 1 },
    { user: 'hash of bob', kind: 'quota', count: 1 },
    { kind: 'overload', count: 1 },
  ])

  await forward(1)
  expect(lines.slice(4)).toMatchObject([{ user: 'hash of ada', kind: 'quota', count: 49 }])
  await forward(MINUTE)
  refuse('ada', 'quota-exceeded')
  expect(lines.slice(5)).toMatchObject([{ user: 'hash of ada', kind: 'quota', count: 1 }])
})

it('says users without number together, and says nothing of other errors', async () => {
  const { lines, refuse, forward } = open()

  for (let n = 0; n < 1000; n += 1) refuse(`guest-${n}`, 'quota-exceeded')
  expect(refuse('ada', 'not-found')).toBeUndefined()
  await forward(MINUTE)

  expect(lines).toHaveLength(202)
  expect(lines.at(200)).toMatchObject({ others: true, kind: 'quota', count: 1 })
  expect(lines.at(201)).toMatchObject({ others: true, kind: 'quota', count: 799 })
})
