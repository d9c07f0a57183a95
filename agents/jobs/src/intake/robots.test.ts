import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { clock } from '../clock.ts'
import { robots } from './robots.ts'

const { signal } = new AbortController()
const url = new URL('https://acme.example/jobs/1')

describe('robots.txt of a site', () => {
  it('is fetched once an hour', async () => {
    await using world = await fakeWeb((_address, response) =>
      response.end('User-agent: *\nDisallow: /private\nCrawl-delay: 4'),
    )
    let now = 0
    const rules = robots(world.safeFetch, () => new Date(now))

    const first = await rules.of('ada', url, signal)
    const second = await rules.of('ada', new URL('https://acme.example/private/1'), signal)
    now = 60 * 60 * 1000 - 1
    await rules.of('ada', url, signal)
    expect(world.requests).toEqual(['acme.example/robots.txt'])
    now += 1
    await rules.of('ada', url, signal)

    expect(world.requests).toHaveLength(2)
    expect([first.allows, second.allows, first.delayMs]).toEqual([true, false, 4000])
  })

  it.each([404, 403, 410])('allows everything with status %i', async (status) => {
    await using world = await fakeWeb((_address, response) =>
      response.writeHead(status).end('User-agent: *\nDisallow: /'),
    )

    expect((await robots(world.safeFetch, clock.now).of('ada', url, signal)).allows).toBe(true)
  })

  it.each([500, 503, 429])('allows nothing with status %i, and is asked again', async (status) => {
    let answers = status
    await using world = await fakeWeb((_address, response) => response.writeHead(answers).end())
    const rules = robots(world.safeFetch, clock.now)

    await expect(rules.of('ada', url, signal)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'acme.example cannot say now what may be fetched of it (robots.txt).',
    })
    answers = 404
    expect((await rules.of('ada', url, signal)).allows).toBe(true)
  })

  it('is not waited for after an abort', async () => {
    const stop = new AbortController()
    await using world = await fakeWeb(() => stop.abort(new Error('stopped')))

    await expect(robots(world.safeFetch, clock.now).of('ada', url, stop.signal)).rejects.toThrow('stopped')
  })
})
