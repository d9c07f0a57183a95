import { describe, expect, it } from 'vitest'

import { createQuoteFinder } from './quote-finder.ts'

describe('a quote', () => {
  it('is found behind many words that only hold it', () => {
    const holds = createQuoteFinder(`${'access to code, '.repeat(100)}C, Go`)

    expect(Array.from({ length: 30 }, () => holds('C'))).not.toContain(false)
    expect(holds('Go')).toBe(true)
  })

  it('is looked for no more in a text that was made to take long', () => {
    const holds = createQuoteFinder(`${'a'.repeat(15_000)} Go aa`)
    expect(holds('aa')).toBe(true)

    for (let length = 500; length < 530; length += 1) expect(holds('a'.repeat(length))).toBe(false)

    expect(holds('aa')).toBe(false)
    expect(holds('Go')).toBe(false)
  })
})
