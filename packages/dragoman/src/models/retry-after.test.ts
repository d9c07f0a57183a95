import { describe, expect, it } from 'vitest'

import { durationWords, retryAfterOf } from './retry-after.ts'

const body = (error: object) => ({ responseBody: JSON.stringify({ error }) })
const inOneHour = Date.now() + 3_600_000

describe('the time until a provider answers again', () => {
  it.each([
    ['a header', { responseHeaders: { 'Retry-After': '7' }, ...body({ retry_after: 9 }) }, 7],
    ['a header in ms', { responseHeaders: { 'retry-after-ms': '1500' } }, 2],
    ['a plan', body({ type: 'usage_limit_reached', resets_in_seconds: 300_000 }), 300_000],
    ['Google', body({ details: [{ '@type': 'x' }, { retryDelay: '34.2s' }] }), 35],
    ['Cloudflare', body({ retry_after: '12' }), 12],
    ['OpenRouter', body({ metadata: { headers: { 'X-RateLimit-Reset': String(inOneHour) } } }), 3600],
    ['a date in seconds', body({ resets_at: Math.ceil(inOneHour / 1000) }), 3600],
    ['Groq', body({ message: 'Limit 100000, Used 99999. Please try again in 7m12.5s. Visit x' }), 433],
    ['OpenAI', { message: 'Rate limit reached. Please try again in 20ms.' }, 1],
    ['a sentence', { message: 'Retry after 2 hours, 5 minutes' }, 7500],
    ['nothing', body({ message: 'Please retry after a while', retry_after: null }), undefined],
    ['no field of its own', body({ at: 17, reset: 'now', retry_after: {} }), undefined],
  ])('is read from what it says: %s', (_name, error, seconds) => {
    const wait = retryAfterOf(error)

    expect(wait === undefined ? undefined : Math.abs(wait - (seconds ?? 0)) <= 5).toBe(
      seconds === undefined ? undefined : true,
    )
  })

  it.each([
    [90, '90 seconds', '90 秒'],
    [433, '8 minutes', '8 分钟'],
    [300_000, '84 hours', '84 小时'],
  ])('is said in words: %d', (seconds, english, chinese) => {
    expect(durationWords(seconds)).toEqual({ english, chinese })
  })
})
