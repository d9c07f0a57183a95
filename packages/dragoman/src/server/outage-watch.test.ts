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

  expect(watch.suspect('ECONNREFUSED')).toBe(false)
  await said('database away')
  expect(watch.isAway()).toBe(true)
  for (let n = 0; n < 20; n += 1) expect(watch.suspect('ECONNREFUSED')).toBe(true)
  answer.resolve()
  await said('database back')

  expect(lines).toEqual([
    { message: 'database away', reason: 'ECONNREFUSED', node: 'a/1' },
    { message: 'database back', ms: expect.any(Number), failures: 21, node: 'a/1' },
  ])
  await watch.close()
  expect(watch.isAway()).toBe(false)
})

it('says nothing of a database that answers, and ends while it waits for one', async () => {
  const { lines, answer, watch } = open(60_000)

  expect(watch.suspect('the connection was closed')).toBe(false)
  answer.resolve()
  await watch.close()
  const away = open(60_000)
  away.watch.suspect('ECONNREFUSED')
  await away.watch.close()

  expect([...lines, ...away.lines]).toEqual([])
})
