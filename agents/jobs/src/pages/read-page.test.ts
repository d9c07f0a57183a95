import { describe, expect, it } from 'vitest'

import { pages } from '../jobs.fixture.ts'
import { readPage } from './read-page.ts'
import { isFull } from '../../../../test/support/is-full.ts'

const url = new URL('https://jobs.acme.example/1')
const attributes = Array.from({ length: 200_000 }, (_, n) => `a${n}=x`).join(' ')
/** Its reading takes seconds. */
const endless = `<h1>Engineer</h1><div ${attributes}>Work.`
const real = { url: new URL(pages[0]?.url ?? ''), content: pages[0]?.content ?? '' }

describe('a page', () => {
  it('is read', async () => {
    expect(await readPage('ada', real.content, real.url)).toMatchObject({ company: 'Northwind Robotics' })
  })

  const huge: readonly (readonly [string, string])[] = [
    ['of 15 MB of spaces', `<h1>Engineer</h1>${' '.repeat(15_000_000)}`],
    ['of 19 MB of tag signs', '<'.repeat(19_000_000)],
    ['of 19 MB of escaped tag signs', '&lt;'.repeat(4_750_000)],
    ['of 19 MB of scripts', '<script>var a=1</script>'.repeat(800_000)],
    ['of one tag with 200,000 attributes', endless],
  ]
  it.each(isFull ? huge : huge.slice(0, 1))(
    '%s is refused without blocking the event loop',
    async (_what, content) => {
      let ticks = 0
      const timer = setInterval(() => (ticks += 1), 5)

      await expect(readPage('ada', content, url)).rejects.toMatchObject({ code: 'invalid-request' })

      clearInterval(timer)
      expect(ticks).toBeGreaterThanOrEqual(3)
    },
  )

  it('that takes too long is ended before the next one is read', async () => {
    const ended = readPage('ada', endless, url, { withinMs: 50 })
    const next = readPage('ada', real.content, real.url)

    await expect(ended).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'No job posting could be read from this page: it takes too long to read.',
    })
    expect(await next).toMatchObject({ company: 'Northwind Robotics' })
  })

  it('is refused while too many of one user wait, or of all', async () => {
    const read = (userId: string) => readPage(userId, real.content, real.url)
    const all = ['ada', 'bob', 'eve', 'joe'].flatMap((userId) =>
      Array.from({ length: 8 }, () => read(userId)),
    )

    await expect(read('kim')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
    expect(await Promise.all(all)).toHaveLength(32)
    const own = Array.from({ length: 8 }, () => read('ada'))
    await expect(read('ada')).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 5 })
    await Promise.all(own)
  })
})
