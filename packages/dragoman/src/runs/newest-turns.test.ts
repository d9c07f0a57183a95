import { describe, expect, it } from 'vitest'

import { newestTurns } from './newest-turns.ts'

const turn = (text: string) => ({ role: 'user', text }) as const

describe('the earlier turns of a client', () => {
  it('are stored up to the newest thousand', () => {
    const turns = Array.from({ length: 1500 }, (_, index) => turn(String(index)))

    expect(newestTurns(turns)).toEqual(turns.slice(500))
  })

  it.each([
    ['4 MB', 'x'.repeat(190_000), 22],
    ['4 MB of Chinese text', '想'.repeat(60_000), 23],
  ])('are stored up to the newest %s', (_, text, count) => {
    const turns = Array.from({ length: 90 }, () => turn(text))

    expect(newestTurns(turns)).toHaveLength(count)
    expect(newestTurns(turns.slice(0, count))).toHaveLength(count)
  })
})
