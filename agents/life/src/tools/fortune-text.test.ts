import { describe, expect, it } from 'vitest'

import { hourUnknown, inSummerTime, person } from './charts.fixture.ts'
import { showBaziFortuneTool } from './show-bazi-fortune-tool.ts'
import { show } from './tools.fixture.ts'

const now = (): Date => new Date('2026-11-22T04:00:00Z')

describe('a luck cycle that begins within a year', () => {
  it.each([
    ['zh', '2027-02-07 由乙卯进入甲寅，此前仍在乙卯'],
    ['en', 'Jia-Yin (甲寅) begins on 2027-02-07, and until then it is still Yi-Mao (乙卯)'],
  ] as const)('is told with the one that holds until then, in %s', async (language, expected) => {
    const { text } = await show(showBaziFortuneTool(person(inSummerTime), now), { year: 2027 }, language)

    expect(text).toContain(expected)
  })

  it.each([
    ['zh', /约 \d{4}-\d\d-\d\d（前后最多 \d+ 天） 由/],
    ['en', /begins about \d{4}-\d\d-\d\d \(up to \d+ days either side\)/],
  ] as const)('is no day where the hour of birth is not known, in %s', async (language, expected) => {
    const tool = showBaziFortuneTool(person(hourUnknown), now)
    const changes = [2026, 2027].map(async (year) => show(tool, { year }, language))
    const card = (await Promise.all(changes)).find(({ luckChange }) => luckChange !== null)

    expect(card?.text).toMatch(expected)
    expect(card?.['luckChange']).toMatchObject({ uncertainDays: expect.any(Number) })
  })
})
