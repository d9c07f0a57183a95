import { describe, expect, it } from 'vitest'

import { countTurns } from '../../../../test/support/count-turns.ts'
import { setUp } from '../jobs.fixture.ts'
import { after, came, defaultResume, putIn, type Application } from './applications.fixture.ts'

describe('the responses', () => {
  it('are counted by source, with their median wait', async () => {
    const stats = await after(
      {
        ...came(['inbox', '2026-03-01'], ['applied', '2026-03-02'], ['interviewing', '2026-03-06']),
        row: { source: 'linkedin' },
      },
      {
        ...came(['inbox', '2026-03-01'], ['applied', '2026-03-02'], ['rejected', '2026-03-12']),
        row: { source: 'linkedin' },
      },
      {
        ...came(['inbox', '2026-03-01'], ['applied', '2026-03-02'], ['rejected', '2026-03-30']),
        row: { source: 'linkedin', sub_status: 'no_response' },
      },
      { ...came(['inbox', '2026-03-01'], ['interviewing', '2026-03-06']), row: { source: 'email' } },
      { ...came(['inbox', '2026-03-01']), row: { source: 'indeed' } },
    )

    expect((await stats.responses('ada', 20)).bySource).toEqual([
      {
        source: 'linkedin',
        applied: 3,
        responded: 2,
        interviewed: 1,
        responseRate: 0.667,
        interviewRate: 0.333,
        medianDays: 7,
      },
      // When it was applied for was never told.
      {
        source: 'email',
        applied: 1,
        responded: 1,
        interviewed: 1,
        responseRate: 1,
        interviewRate: 1,
        medianDays: null,
      },
    ])
  })

  it('are counted by what was sent', async () => {
    const { call, db } = await setUp()
    const resume = await db
      .insertInto('resumes')
      .values(defaultResume('English', '# Ada'))
      .returning('id')
      .executeTakeFirstOrThrow()
    await putIn(db, [
      {
        ...came(['inbox', '2026-03-01'], ['applied', '2026-03-02'], ['offer', '2026-03-06']),
        row: { resume_id: resume.id },
      },
      came(['inbox', '2026-03-01'], ['applied', '2026-03-02']),
      came(['inbox', '2026-03-01'], ['applied', '2026-03-02']),
    ])

    const { body } = await call('/analytics/responses?limit=2')

    expect(body['byResume']).toMatchObject([
      { resumeId: null, resume: null, applied: 2, responded: 0, responseRate: 0 },
      {
        resumeId: resume.id,
        resume: 'English',
        tailoredId: null,
        version: null,
        applied: 1,
        responseRate: 1,
        medianDays: 4,
      },
    ])
  })
})

describe('the skills of many postings', () => {
  it('are counted in slices, so that others have a turn in between', async () => {
    const { call, db } = await setUp()
    const skills: Application['skills'] = [
      ['Go', 'required'],
      ['Kafka', 'nice'],
    ]
    await putIn(
      db,
      Array.from({ length: 320 }, () => ({ ...came(['inbox', '2026-03-01']), skills })),
    )
    const answer = call('/analytics/skills?limit=2')
    const turns = await countTurns(answer)
    const { body } = await answer

    expect(body['top']).toEqual([
      { skill: 'Go', matchCount: 320, required: 320 },
      { skill: 'Kafka', matchCount: 320, required: 0 },
    ])
    expect(turns).toBeGreaterThanOrEqual(3)
  })
})

describe('the skills', () => {
  const rows: Application[] = [
    {
      ...came(['inbox', '2026-03-01']),
      skills: [
        ['Go', 'required'],
        ['Kafka', 'nice'],
        ['Rust', 'mentioned'],
      ],
    },
    {
      ...came(['inbox', '2026-03-01']),
      skills: [
        ['Go', 'required'],
        ['Kafka', 'required'],
      ],
    },
    { ...came(['inbox', '2026-03-01'], ['skipped', '2026-03-02']), skills: [['Rust', 'required']] },
    { ...came(['inbox', '2026-03-01']), user: 'eve', skills: [['Rust', 'required']] },
  ]

  it('come from postings that are not skipped; gaps are missing in the default resume', async () => {
    const { call, db } = await setUp()
    await putIn(db, rows)
    await db
      .insertInto('resumes')
      .values(defaultResume('Mine', '# Ada\n\n## Skills\n\nKafka, PostgreSQL'))
      .execute()

    expect((await call('/analytics/skills?limit=2')).body).toEqual({
      top: [
        { skill: 'Go', matchCount: 2, required: 2 },
        { skill: 'Kafka', matchCount: 2, required: 1 },
      ],
      gaps: [
        { skill: 'Go', mentionCount: 2, inResume: false },
        { skill: 'Rust', mentionCount: 1, inResume: false },
      ],
      resume: { id: 1, name: 'Mine' },
    })
  })

  it('are counted over any number of postings', async () => {
    const many = Array.from({ length: 450 }, (_, index): Application => ({
      ...came(['inbox', '2026-03-01']),
      skills: [
        ['Go', index % 2 === 0 ? 'required' : 'nice'],
        [index < 150 ? 'Zig' : 'Rust', 'nice'],
      ],
    }))
    const { top } = await (await after(...many)).skills('ada', 3)

    expect(top).toEqual([
      { skill: 'Go', matchCount: 450, required: 225 },
      { skill: 'Rust', matchCount: 300, required: 0 },
      { skill: 'Zig', matchCount: 150, required: 0 },
    ])
  })

  it('have unknown gaps without a default resume', async () => {
    const { gaps, note } = await (await after(...rows)).skills('ada', 1)

    expect(gaps).toEqual([{ skill: 'Go', mentionCount: 2, inResume: null }])
    expect(note).toContain('POST /jobs/resumes')
  })
})

describe('the nudges', () => {
  const silent = (day: string, more: Partial<Application> = {}): Application => ({
    ...came(['inbox', '2026-01-01'], ['applied', day]),
    ...more,
  })

  it.each([
    ['silent for so long', silent('2026-03-24'), { why: 'silent', silentDays: 7 }],
    ['not yet', silent('2026-03-25'), undefined],
    ['in contact since', silent('2026-03-01', { touches: ['2026-03-29'] }), undefined],
    [
      'silent since the last contact',
      silent('2026-03-01', { touches: ['2026-03-02', '2026-03-10'] }),
      { why: 'silent', silentDays: 21 },
    ],
    [
      'to be asked after now',
      silent('2026-03-30', { row: { follow_up_at: '2026-03-31' } }),
      { why: 'follow-up', silentDays: 1 },
    ],
    ['to be asked after later', silent('2026-03-01', { row: { follow_up_at: '2026-04-02' } }), undefined],
    [
      'asked after as planned',
      silent('2026-03-20', { row: { follow_up_at: '2026-03-28' }, touches: ['2026-03-29'] }),
      undefined,
    ],
    ['never applied for', came(['inbox', '2026-01-01']), undefined],
    [
      'rejected',
      came(['inbox', '2026-01-01'], ['applied', '2026-01-02'], ['rejected', '2026-01-03']),
      undefined,
    ],
    ['an offer', came(['inbox', '2026-01-01'], ['offer', '2026-01-02']), undefined],
  ] as const)('are for what is silent: %s', async (_, application, found) => {
    const { nudges, total } = await (await after(application)).nudges('ada', { days: 7, limit: 20 })

    expect(nudges).toMatchObject(found ? [found] : [])
    expect(total).toBe(found ? 1 : 0)
  })

  it('come page by page, the longest silent first', async () => {
    const stats = await after(
      silent('2026-03-03'),
      silent('2026-03-01'),
      silent('2026-03-01'),
      silent('2026-03-02'),
    )

    const first = await stats.nudges('ada', { days: 7, limit: 3 })
    const second = await stats.nudges('ada', { days: 7, limit: 3, cursor: first.nextCursor })

    expect(first.nudges.map(({ id }) => id)).toEqual([2, 3, 4])
    expect(second.nudges.map(({ id }) => id)).toEqual([1])
    expect([first.total, second.total, second.nextCursor]).toEqual([4, 4, undefined])
    expect((await stats.nudges('eve', { days: 7, limit: 3 })).nudges).toEqual([])
  })
})

describe('GET /jobs/analytics', () => {
  it.each([
    ['funnel?period=year', 'period must be one of: week, 7d, month, 30d, all'],
    ['skills?limit=many', 'limit must be a whole number, from 1 to 100'],
    ['responses?limit=1.5', 'limit must be a whole number, from 1 to 100'],
    ['nudges?days=0', 'days must be a whole number, from 1 to 365'],
    ['nudges?cursor=1', 'cursor must be that of the page before'],
  ])('refuses %s', async (query, error) => {
    const { call } = await setUp()

    expect(await call(`/analytics/${query}`)).toEqual({
      status: 400,
      body: { error, code: 'invalid-request' },
    })
  })
})
