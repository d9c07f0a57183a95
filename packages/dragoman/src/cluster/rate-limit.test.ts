import { expect, it } from 'vitest'

import { enforceRateLimit } from './rate-limit.ts'
import { singleNode } from './single-node.ts'

it('counts each key separately, and says when to try again', async () => {
  let at = 0
  const cluster = singleNode(() => at)
  const limit = { name: 'runs', max: 2, windowMs: 60_000, refusal: (seconds: number) => `In ${seconds} s.` }
  const start = (key: string): Promise<void> => enforceRateLimit(cluster, limit, key)
  await start('ada')
  await start('ada')
  at = 18_500

  await expect(start('ada')).rejects.toMatchObject({
    code: 'rate-limited',
    message: 'In 42 s.',
    retryAfter: 42,
  })
  await start('bob')
  at = 60_000
  await start('ada')
  await expect(enforceRateLimit(cluster, { ...limit, max: 0 }, 'ada')).resolves.toBeUndefined()
})
