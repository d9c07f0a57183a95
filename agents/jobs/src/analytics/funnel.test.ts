import { describe, expect, it } from 'vitest'

import { after, came } from './applications.fixture.ts'

describe('the funnel', () => {
  it.each([
    ['put in only', came(['inbox', '2026-03-01']), [1, 0, 0, 0]],
    ['skipped', came(['inbox', '2026-03-01'], ['skipped', '2026-03-02']), [1, 0, 0, 0]],
    ['applied for', came(['inbox', '2026-03-01'], ['applied', '2026-03-02']), [1, 1, 0, 0]],
    [
      'rejected after an interview',
      came(
        ['inbox', '2026-03-01'],
        ['applied', '2026-03-02'],
        ['interviewing', '2026-03-03'],
        ['rejected', '2026-03-04'],
      ),
      [1, 1, 1, 0],
    ],
    [
      'set straight to interviewing',
      came(['inbox', '2026-03-01'], ['interviewing', '2026-03-02']),
      [1, 1, 1, 0],
    ],
    ['set straight to an offer', came(['inbox', '2026-03-01'], ['offer', '2026-03-02']), [1, 1, 1, 1]],
    [
      'rejected without a word of an application',
      came(['inbox', '2026-03-01'], ['rejected', '2026-03-02']),
      [1, 0, 0, 0],
    ],
    [
      'rejected, with a day of the application',
      {
        ...came(['inbox', '2026-03-01'], ['rejected', '2026-03-02']),
        row: { applied_at: '2026-03-01T10:00:00.000Z' },
      },
      [1, 1, 0, 0],
    ],
    [
      'applied for, then skipped',
      came(['inbox', '2026-03-01'], ['applied', '2026-03-02'], ['skipped', '2026-03-03']),
      [1, 1, 0, 0],
    ],
  ] as const)('counts what one ever reached: %s', async (_, application, counts) => {
    const { inbox, applied, interview, offer } = await (await after(application)).funnel('ada', 'all')

    expect([inbox, applied, interview, offer]).toEqual(counts)
  })

  it('has no rate of an empty stage', async () => {
    expect(await (await after()).funnel('ada', 'all')).toMatchObject({
      inbox: 0,
      conversionRates: { applyRate: null, interviewRate: null, offerRate: null },
      stages: [{ stage: 'inbox', now: 0, left: 0, medianDays: null }, {}, {}, {}],
    })
  })

  it('counts the events of a period, and rates its postings beyond it', async () => {
    const stats = await after(
      came(['inbox', '2026-01-01'], ['applied', '2026-03-28'], ['interviewing', '2026-03-30']),
      came(['inbox', '2026-03-27'], ['applied', '2026-03-28']),
      came(['inbox', '2026-03-27']),
      came(
        ['inbox', '2026-01-01'],
        ['applied', '2026-01-02'],
        ['interviewing', '2026-03-29'],
        ['offer', '2026-03-30'],
      ),
      { ...came(['inbox', '2026-03-27']), user: 'eve' },
    )

    const week = await stats.funnel('ada', 'week')

    expect(week).toMatchObject({ inbox: 2, applied: 2, interview: 2, offer: 1, active: 3 })
    expect(week.conversionRates).toEqual({ applyRate: 0.5, interviewRate: 0.5, offerRate: 0.5 })
    expect({ ...(await stats.funnel('ada', '7d')), period: 'week' }).toEqual(week)
    expect(await stats.funnel('ada', 'month')).toMatchObject({ inbox: 2, applied: 2 })
    expect(await stats.funnel('ada', 'all')).toMatchObject({
      inbox: 4,
      applied: 3,
      conversionRates: { applyRate: 0.75 },
    })
  })

  it('has the median days in each stage', async () => {
    const stats = await after(
      came(['inbox', '2026-03-01'], ['applied', '2026-03-02'], ['rejected', '2026-03-12']),
      came(['inbox', '2026-03-01'], ['applied', '2026-03-04'], ['interviewing', '2026-03-10']),
      came(['inbox', '2026-03-01'], ['skipped', '2026-03-09']),
      came(['inbox', '2026-03-01']),
    )

    const { stages, rejected, skipped } = await stats.funnel('ada', 'all')

    expect(stages).toEqual([
      { stage: 'inbox', now: 1, left: 3, medianDays: 3 },
      { stage: 'applied', now: 0, left: 2, medianDays: 8 },
      { stage: 'interviewing', now: 1, left: 0, medianDays: null },
      { stage: 'offer', now: 0, left: 0, medianDays: null },
    ])
    expect({ rejected, skipped }).toEqual({ rejected: 1, skipped: 1 })
  })
})
