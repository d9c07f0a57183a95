import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { keepSynced } from './keep-synced.ts'
import { job, workableOf, type Company } from './boards.fixture.ts'
import { createSources, stoppedClock } from './sources.fixture.ts'

const acme: Company = { name: 'Acme', jobs: [job('AAAAAA1', 'Engineer')] }
const start = '2026-11-22T07:59:00.000Z'
const source = {
  name: 'Acme',
  settings: { kind: 'workable', board: 'acme', filter: {} },
  secret: null,
  schedule: '0 8 * * * UTC',
  enabled: true,
} as const

type World = Awaited<ReturnType<typeof fakeWeb>>

/** A server that keeps things synced, with a clock of its own. */
async function running(world: World) {
  const clock = stoppedClock(start)
  const parts = await createSources(world.safeFetch, clock)
  const control = new AbortController()
  const errors: unknown[] = []
  const begin = () => keepSynced({ ...parts, clock }, control.signal, (error) => errors.push(error))
  /** Until it waits for the clock again, and nothing is synced. */
  const isAtRest = () => clock.waiting === 1 && !parts.syncs.isRunning('ada')
  const rests = () => expect.poll(isAtRest, { interval: 5, timeout: 20_000 }).toBe(true)
  return { ...parts, clock, control, errors, begin, rests }
}

describe('a scheduled source', () => {
  it('is synced when it is due, and again the next day', async () => {
    await using world = await fakeWeb(workableOf({ acme }))
    const { sources, clock, control, errors, begin, rests } = await running(world)
    const { id } = await sources.add('ada', source)
    const ended = begin()
    await rests()
    expect(world.requests).toHaveLength(0)

    const hours = []
    for (const minutes of [1, 1, 24 * 60]) {
      clock.pass(minutes)
      await rests()
      hours.push([world.requests.length, (await sources.get('ada', id)).dueAt])
    }

    control.abort()
    await ended
    expect(hours).toEqual([
      [1, '2026-11-23T08:00:00.000Z'],
      [1, '2026-11-23T08:00:00.000Z'],
      [2, '2026-11-24T08:00:00.000Z'],
    ])
    expect(errors).toEqual([])
  })

  it('is synced once for all syncs that were missed', async () => {
    await using world = await fakeWeb(workableOf({ acme }))
    const { sources, clock, control, begin, rests } = await running(world)
    await sources.add('ada', source)
    clock.pass(5 * 24 * 60 + 60)

    const ended = begin()
    await rests()
    clock.pass(1)
    await rests()

    control.abort()
    await ended
    expect(world.requests).toHaveLength(1)
  })

  it('is not synced while it is disabled', async () => {
    await using world = await fakeWeb(workableOf({ acme }))
    const { sources, clock, control, begin, rests } = await running(world)
    await sources.add('ada', { ...source, enabled: false })
    clock.pass(24 * 60)

    const ended = begin()
    await rests()

    control.abort()
    await ended
    expect(world.requests).toHaveLength(0)
  })

  it('that fails is tried again at growing intervals until it succeeds', async () => {
    let broken = true
    await using world = await fakeWeb((address, response) => {
      if (broken) response.writeHead(500).end()
      else workableOf({ acme })(address, response)
    })
    const { sources, clock, control, errors, begin, rests } = await running(world)
    const { id } = await sources.add('ada', source)
    const ended = begin()
    await rests()
    const runs = []
    for (const minutes of [1, 14, 1, 30]) {
      clock.pass(minutes)
      await rests()
      const { failures, lastError, dueAt } = await sources.get('ada', id)
      runs.push([failures, lastError, dueAt?.slice(11, 16)])
    }
    broken = false
    clock.pass(60)
    await rests()

    control.abort()
    await ended
    const words = 'Workable answered with status 500.'
    expect(runs).toEqual([
      [1, words, '08:15'],
      [1, words, '08:15'],
      [2, words, '08:45'],
      [3, words, '09:45'],
    ])
    expect(await sources.get('ada', id)).toMatchObject({ failures: 0, lastError: null })
    expect(errors).toEqual([])
  })

  it('does not wait for the slow and many sources of others', async () => {
    const companies = { acme, mega: { ...acme, name: 'Mega' } }
    const order: string[] = []
    await using world = await fakeWeb((address, response) => {
      const company = Object.keys(companies).find((name) => address.includes(name))
      order.push(company ?? 'slow')
      if (company !== undefined) workableOf(companies)(address, response)
    })
    const { sources, clock, control, errors, begin } = await running(world)
    const slow = Array.from({ length: 130 }, (_, index) => index)
    for (const index of slow)
      await sources.add(`eve${index % 4}`, {
        ...source,
        settings: { ...source.settings, board: `slow${index}` },
      })
    clock.pass(30)
    await sources.add('ada', { ...source, schedule: '0 9 * * * UTC' })
    await sources.add('ada', {
      ...source,
      schedule: '0 9 * * * UTC',
      settings: { ...source.settings, board: 'mega' },
    })
    clock.pass(60)

    const ended = begin()
    await expect
      .poll(() => order.filter((name) => name !== 'slow').toSorted(), { timeout: 20_000 })
      .toEqual(['acme', 'mega'])
    expect(order).toHaveLength(6)

    control.abort()
    await ended
    expect(errors).toEqual([])
  })

  it('is synced by one process only', async () => {
    await using world = await fakeWeb(workableOf({ acme }))
    const { sources, clock, control, begin, rests } = await running(world)
    const mine = await sources.add('ada', source)
    clock.pass(60)
    const until = new Date(clock.now().getTime() + 10 * 60_000)

    expect(await sources.lock(mine, until)).toBe(true)
    expect(await sources.lock(mine, new Date(until.getTime() + 1))).toBe(false)
    const ended = begin()
    await rests()
    expect(world.requests).toHaveLength(0)
    // Whoever had it is no more: its claim is over.
    clock.pass(11)
    await rests()

    control.abort()
    await ended
    expect(world.requests).toHaveLength(1)
  })

  it('stops with the server during a sync', async () => {
    const request = Promise.withResolvers<void>()
    await using world = await fakeWeb(() => request.resolve())
    const { sources, clock, control, errors, begin, db } = await running(world)
    await sources.add('ada', source)
    clock.pass(60)

    const ended = begin()
    await request.promise
    control.abort()
    await ended

    expect(errors).toEqual([])
    expect(await db.selectFrom('job_sources').select(['claimed_until', 'last_error']).execute()).toEqual([
      { claimed_until: null, last_error: null },
    ])
  })
})
