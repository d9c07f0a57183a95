import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'

import { openJobsDatabase, setUp } from '../jobs.fixture.ts'
import { readMarkdown } from '../resumes/markdown/read-markdown.ts'
import type { Language } from '../words/language.ts'
import type { JudgedPosting } from './judged-pair.ts'
import { POSTING, putResume, RESUME } from './judging.fixture.ts'
import { prescore, type Prescore } from './prescore.ts'

function scoreOf(posting: Partial<JudgedPosting>, resume = RESUME, language: Language = 'en'): Prescore {
  return prescore({
    posting: { title: 'Engineer', location: '', workplace: null, description: '', ...posting },
    resume: { content: resume, data: readMarkdown(resume).data, language: 'en' },
    language,
    now: new Date('2026-11-22T00:00:00Z'),
  })
}

describe('prescore', () => {
  it('weighs the parts and gives reasons', () => {
    const result = scoreOf(POSTING)

    expect(result).toMatchObject({
      score: 88,
      verdict: 'High',
      keywords: ['Backend Development', 'Go', 'PostgreSQL', 'Kubernetes'],
      missing: ['Rust'],
      blockers: [],
      warnings: [expect.stringContaining('We cannot offer visa sponsorship.')],
    })
    expect(result.parts.map(({ kind, met }) => `${kind} ${met}`)).toEqual([
      'permit unknown',
      'location yes',
      'language yes',
      'years yes',
      'degree yes',
      'skills yes',
      'nice-to-have no',
    ])
    expect(result.parts[3]).toMatchObject({
      says: 'Asks for 5 years of experience; the resume shows about 10.4',
      quote: '- 5+ years of experience with Go',
    })
  })

  it('puts blockers first and gives no High', () => {
    const result = scoreOf({
      description:
        'Requirements\n- Go, PostgreSQL\n- Fluent Japanese\n- 25 years of experience\n- PhD in physics',
    })

    expect(result.blockers).toEqual([
      'Asks for Japanese; the resume does not mention it',
      'Asks for 25 years of experience; the resume shows about 10.4',
      "Asks for a doctorate; the resume shows a bachelor's degree",
    ])
    expect(result.parts.slice(0, 3).every(({ blocks }) => blocks)).toBe(true)
    expect(result.score).toBeLessThan(60)
    expect(result.verdict).not.toBe('High')
  })

  it.each([
    ['Go, Rust or C++', 1],
    ['One of Flink, Kafka or Pulsar', 1],
    ['Docker and SQL', 1],
    ['Java, and Rust or Kafka', 1],
    ['Java, and Rust or C++', 0.5],
    ['熟悉Rust或Java', 1],
    ['Rust, C++', 0],
  ])('counts alternatives in %j', (line, share) => {
    const { parts } = scoreOf({ description: `Requirements\n- ${line}` })

    expect(parts.find(({ kind }) => kind === 'skills')?.share).toBe(share)
  })

  it('accepts an equivalent of a degree', () => {
    const { blockers, parts } = scoreOf({
      description: "Requirements\n- Master's degree or equivalent experience\n- Go",
    })

    expect(blockers).toEqual([])
    expect(parts.find(({ kind }) => kind === 'degree')?.met).toBe('partly')
  })

  it('uses the title when the posting asks for no years', () => {
    const posting = { title: 'Senior Engineer', description: 'Requirements\n- Go, Kafka' }
    const young = RESUME.replace('2019-03 – Present', '2025-03 – Present').replace('2016-07 – 2019-02', '')

    expect(scoreOf(posting).parts.find(({ kind }) => kind === 'seniority')?.met).toBe('yes')
    expect(scoreOf(posting, young).parts.find(({ kind }) => kind === 'seniority')?.met).toBe('partly')
  })

  it('gives no score when there is nothing to compare', () => {
    expect(scoreOf({})).toMatchObject({
      score: null,
      verdict: null,
      note: expect.stringContaining('no description'),
    })
    expect(scoreOf({ description: 'We are nice people.' })).toMatchObject({
      score: null,
      note: expect.stringContaining('names no skill'),
    })
    expect(scoreOf({ description: 'Requirements\n- Go' })).toMatchObject({
      score: 69,
      verdict: 'Medium',
      note: expect.stringContaining('rests on little'),
    })
  })

  it.each([
    ['上海 · 2020.07–2022.03', 'unknown'],
    ['Shanghai, Jun 2019 – Feb 2022', 'unknown'],
    ['上海 · 2022.04–至今', 'yes'],
    ['现居：上海', 'yes'],
  ])('does not take the place of a past job for the home: %s', (line, met) => {
    const { parts } = scoreOf({ description: 'Go', location: '上海' }, `# 林岚\n\n${line}\n\nGo`)

    expect(parts.find(({ kind }) => kind === 'location')?.met).toBe(met)
  })

  it('gives reasons in Chinese', () => {
    const result = scoreOf(
      {
        description: '任职要求：\n1、本科，10年以上经验；\n2、日语流利；\n3、熟悉Go、Rust。',
        location: '北京',
      },
      RESUME,
      'zh',
    )

    expect(result.blockers).toEqual(['要求日语，简历中没有提到'])
    expect(result.warnings).toEqual(['职位地点为北京，简历开头没有写明在那里'])
    expect(result.parts.map(({ says }) => says)).toContain('要求10年经验，简历显示约10.4年')
  })

  it('gives a score from 0 to 100, or none', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (title, description, resume) => {
        const { score, verdict } = scoreOf({ title, description: `${description}\nGo, Rust` }, resume)
        expect(score === null || (score >= 0 && score <= 100)).toBe(true)
        expect(verdict === null).toBe(score === null)
      }),
    )
  })
})

describe('GET /jobs/:id/prescore', () => {
  let call: Awaited<ReturnType<typeof setUp>>['call']

  beforeAll(async () => {
    const database = await openJobsDatabase()
    const { db, ...made } = await setUp({}, database)
    call = made.call
    await call('', POSTING)
    await putResume(db)
    await putResume(db, { is_default: 0, content: '# Bob\nRust' })
    return () => database.destroy()
  })

  it('compares with the default resume or the given one', async () => {
    expect(await call('/1/prescore')).toMatchObject({
      status: 200,
      body: { jobId: 1, resumeId: 1, verdict: 'High' },
    })
    expect(await call('/1/prescore?resumeId=2&language=zh')).toMatchObject({
      status: 200,
      body: { resumeId: 2, keywords: ['Rust'], language: 'zh' },
    })
    expect(await call('/1/prescore?resumeId=')).toMatchObject({ status: 200, body: { resumeId: 1 } })
  })
})
