import { expect, it } from 'vitest'

import { createOutageWatch } from './outage-watch.ts'

function open(patienceMs: number) {
  const lines: object[] = []
  const messages = new Map<string, PromiseWithResolvers<void>>()
  const wait = (message: string): PromiseWithResolvers<void> => {
    const found = messages.get(message) ?? Promise.withResolvers<void>()
    messages.set(message, found)
    return found
  }
  const write = (fields: object, message: string): void => {
    lines.push({ ...fields, message })
    wait(message).resolve()
  }
  const answer = Promise.withResolvers<void>()
  const watch = createOutageWatch({
    ready: () => answer.promise,
    lines: { node: 'a/1', alert: write, info: write },
    patienceMs,
  })
  return { lines, answer, watch, said: (message: string) => wait(message).promise }
}

it('says once that the database is away and once that it is back, whatever fails meanwhile', async () => {
  const { lines, answer, watch, said } = open(0)

  const failures = Array.from({ length: 20 }, () => watch.suspect('ECONNREFUSED'))
  await said('database away')
  expect(watch.isAway()).toBe(true)
  failures.push(watch.suspect('ECONNRESET'))
  answer.resolve()
  await said('database back')
  failures.push(watch.suspect('reported late'))

  expect(new Set(await Promise.all(failures))).toEqual(new Set([true]))
  expect(lines).toEqual([
    { message: 'database away', reason: 'ECONNREFUSED', node: 'a/1' },
    { message: 'database back', ms: expect.any(Number), failures: 21, node: 'a/1' },
  ])
  await watch.close()
  expect(watch.isAway()).toBe(false)
})

it('says nothing of a database that answers, and ends while it waits for one', async () => {
  const { lines, answer, watch } = open(60_000)

  const failure = watch.suspect('the connection was closed')
  answer.resolve()
  expect(await failure).toBe(false)
  await watch.close()
  const away = open(60_000)
  const unknown = away.watch.suspect('ECONNREFUSED')
  await away.watch.close()

  expect(await unknown).toBe(false)
  expect([...lines, ...away.lines]).toEqual([])
})
