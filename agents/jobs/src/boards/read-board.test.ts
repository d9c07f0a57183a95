import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { boardFor } from './boards.ts'

const { signal } = new AbortController()
const workable = boardFor('workable')

async function first(outward: Awaited<ReturnType<typeof fakeWeb>>['safeFetch'], until = signal) {
  return Array.fromAsync(workable.postings({ outward, userId: 'ada', signal: until }, 'acme'))
}

describe('a board', () => {
  it('is asked again after the pause that it asks for', async () => {
    let requests = 0
    await using world = await fakeWeb((_address, response) => {
      requests += 1
      if (requests === 1) response.writeHead(429, { 'retry-after': '0' }).end()
      else response.writeHead(200).end('{"jobs":[]}')
    })

    expect(await first(world.safeFetch)).toEqual([])
    expect(requests).toBe(2)
  })

  it.each([
    ['0', 3],
    ['3600', 1],
  ])('that always asks for a pause of %s seconds is given up after %i requests', async (after, times) => {
    await using world = await fakeWeb((_address, response) => {
      response.writeHead(429, { 'retry-after': after }).end()
    })

    await expect(first(world.safeFetch)).rejects.toMatchObject({
      code: 'rate-limited',
      message: 'Workable gets too many requests. Try again later.',
      retryAfter: Math.max(1, Number(after)),
    })
    expect(world.requests).toHaveLength(times)
  })

  it('is not waited for after an abort', async () => {
    const control = new AbortController()
    await using world = await fakeWeb((_address, response) => {
      response.writeHead(429, { 'retry-after': '20' }).end(() => control.abort(new Error('left')))
    })

    await expect(first(world.safeFetch, control.signal)).rejects.toThrow()
    expect(world.requests).toHaveLength(1)
  })

  it.each([
    [404, '{}', { code: 'not-found', message: 'Workable knows no board “acme”.' }],
    [500, '{}', { code: 'unavailable', message: 'Workable answered with status 500.' }],
    [200, '<h1>', { code: 'unavailable', message: 'Workable answered with something that is no JSON.' }],
  ])('that answers %i %s is refused', async (status, body, error) => {
    await using world = await fakeWeb((_address, response) => {
      response.writeHead(status).end(body)
    })

    await expect(first(world.safeFetch)).rejects.toMatchObject(error)
  })

  it.each(['null', '[]', '{"jobs":null}', '{"jobs":[1,null,{"title":[]}]}', '5'])(
    'that answers %s has no postings',
    async (body) => {
      await using world = await fakeWeb((_address, response) => {
        response.writeHead(200).end(body)
      })

      expect(await first(world.safeFetch)).toEqual([])
    },
  )

  it('does not convert the descriptions of known postings', async () => {
    const jobs = ['AAAAAA1', 'AAAAAA2'].map((shortcode) => ({
      shortcode,
      title: 'Engineer',
      url: `https://apply.workable.com/j/${shortcode}`,
      description: '<p>Work.</p>',
    }))
    await using world = await fakeWeb((_address, response) => {
      response.writeHead(200).end(JSON.stringify({ jobs }))
    })
    const storedIds = new Set(['AAAAAA1'])

    const found = await Array.fromAsync(
      workable.postings({ outward: world.safeFetch, userId: 'ada', signal }, 'acme', storedIds),
    )

    expect(found.map(({ description }) => description)).toEqual(['', 'Work.'])
  })

  it('with 200 long postings does not block the event loop', async () => {
    const description =
      '<h3>Work</h3><ul><li>Build <b>things</b> that last</li></ul><p>More &amp; more.</p>'.repeat(60)
    const jobs = Array.from({ length: 200 }, (_, n) => ({
      title: `Engineer ${n}`,
      shortcode: `AAAAAA${n}`,
      url: `https://apply.workable.com/j/AAAAAA${n}`,
      description,
    }))
    const body = JSON.stringify({ name: 'Acme', jobs })
    await using world = await fakeWeb((_address, response) => {
      response.writeHead(200).end(body)
    })
    let longest = 0
    const startedAt = performance.now()
    let last = startedAt
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)

    const found = await first(world.safeFetch)

    clearInterval(timer)
    expect(new Set(found.map(({ id }) => id)).size).toBe(200)
    // Were it read here, nearly all of that time would be one wait.
    expect(longest).toBeLessThan((last - startedAt) / 4)
  })
})
