import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { JsonResume } from '../resumes/json-resume.ts'
import { readMarkdown } from '../resumes/markdown/read-markdown.ts'
import { yearsShown } from './years-shown.ts'
import { yearsAsked } from './years-asked.ts'

describe('the years that a posting asks for', () => {
  it.each([
    ['3+ years of experience', 3],
    ['At least five years building systems', 5],
    ['Requirements\n- 6+ years of TypeScript', 6],
    ['five to seven years of experience in Java', 5],
    ['3-5年后端开发经验', 3],
    ['五年以上工作经验', 5],
    ['经验10年以上', 10],
    ['两年以上软件开发经验', 2],
    ['Requirements\n- 3 years of Go\n- 8 years of experience', 8],
    ['任职要求：\n1、5年以上经验；2、10年经验者优先', 5],
    ['5 years of experience. 10 years would be a plus', 5],
  ])('in %j are %i', (description, years) => {
    expect(yearsAsked(description)?.least).toBe(years)
  })

  it.each([
    'We were founded 20 years ago and have experience',
    '公司成立10年，经验丰富',
    'Requirements\n- Graduated in 2020',
    '任职要求：2020年毕业',
    'About us\nOur founders have 30 years of experience',
    '',
  ])('are none in %j', (description) => {
    expect(yearsAsked(description)).toBeUndefined()
  })

  it('are quoted', () => {
    expect(yearsAsked('We are nice.\n- 4+ years of experience with C++')?.quote).toBe(
      '- 4+ years of experience with C++',
    )
  })
})

describe('the years that a resume shows', () => {
  const now = new Date('2026-11-22T00:00:00Z')
  const yearsOf = (markdown: string): number | undefined => yearsShown(readMarkdown(markdown).data, now)

  it.each([
    ['2019 - 2022', 3],
    ['Jan 2020 – Dec 2020', 1],
    ['2019.03–至今', 7.8],
    ['2019年3月 - 2022年2月', 3],
    ['03/2019 - 02/2022', 3],
    ['2019-03 to 2020-02', 1],
    ['2015.06 - 目前', 11.5],
    ['Since June 2015', 11.5],
    ['2015年6月起', 11.5],
    ['from June 2015 to May 2016', 1],
  ])('by a job of %j are %d', (dates, years) => {
    expect(yearsOf(`## Experience\n### Engineer, Acme\n${dates}`)).toBe(years)
    expect(yearsOf(`工作经历\n甲公司 工程师 ${dates}\n教育经历\n2001.09 - 2005.06`)).toBe(years)
  })

  it.each([
    ['## Experience\n### Acme\n2019-01 – 2020-12\n### Beta\n2020-01 – 2021-12', 3],
    ['## Experience\n### Acme\n2019 - 2021\n## Education\n2010 - 2015', 2],
    ['Education\nLeeds 2010 - 2015\nExperience\nAcme, 2019 - 2021\nBeta, 2020 - 2023', 4],
    ['教育经历\n2015.09 - 2019.06\n工作经历：\n2019.07-2022.06 甲公司', 3],
    ['## Experience\n### Acme 2018\n2019 - 2021\n## Projects\n2010 - 2018', 2],
    ['## Experience\n### Project Manager, Skillsoft\n2019 - 2021\n## Education\n2010 - 2018', 2],
    ['**Experience**\n**Project Manager**\n2019 - 2021\n**Education**\n2010 - 2018', 2],
    ['# Bob, Project Manager\n## Experience\n### Acme\n2019 - 2021\n## Education\n2010 - 2018', 2],
    ['# Experience\n## Career Coach\n2019 - 2021\n# Education\n## MIT\n2010 - 2018', 2],
    ['# Ada\n\n## Summary\n8 years of experience in Go', 8],
    ['# 林岚\n\n10年开发经验。', 10],
  ])('by %j are %d', (resume, years) => {
    expect(yearsOf(resume)).toBe(years)
  })

  it.each(['', 'Go and Rust', '## Work\n### Acme\n2023 - 2021', 'Call 138-2019-2022'])(
    'are unknown by %j',
    (resume) => {
      expect(yearsOf(resume)).toBeUndefined()
    },
  )

  it('are not more than there were, whatever overlaps', () => {
    const periods = fc.array(fc.tuple(fc.integer({ min: 2000, max: 2026 }), fc.integer({ min: 0, max: 9 })), {
      minLength: 1,
    })
    fc.assert(
      fc.property(periods, (all) => {
        const work = all.map(([from, length]) => ({
          startDate: `${from}-01`,
          endDate: `${from + length}-12`,
        }))
        const first = Math.min(...all.map(([from]) => from))
        expect(yearsShown({ work } as JsonResume, now)).toBeLessThanOrEqual(2027 - first)
      }),
    )
  })
})
