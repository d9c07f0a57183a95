import { describe, expect, it } from 'vitest'

import { parseAlertPostings } from './parse-alert-postings.ts'
import { linesOfHtml, linesOfText } from './mail-lines.ts'

const href = 'https://www.linkedin.com/jobs/view/4101234567'

describe('the lines of a mail', () => {
  it.each(['Open Source Engineer', 'Show Producer', 'Learning Designer', 'Apply-side Architect', '沟通顾问'])(
    'take %j for a title',
    (title) => {
      expect(parseAlertPostings([{ text: title, href }])).toMatchObject([{ title }])
    },
  )

  it.each(['View job', 'Apply now', 'See all jobs', 'Learn more', '查看职位 >', '立即沟通', '申请职位', '→'])(
    'never take %j for a title',
    (text) => {
      expect(parseAlertPostings([{ text, href }])).toEqual([])
    },
  )

  it.each([
    ['Engineer $120k - $150k', 'Engineer', '$120k - $150k'],
    ['后端工程师【25-40k·15薪】', '后端工程师', '25-40k·15薪'],
    ['Engineer 2', 'Engineer 2', null],
    ['2-Way Radio Technician', '2-Way Radio Technician', null],
  ])('split %j into title and pay', (text, title, pay) => {
    const [posting] = parseAlertPostings([{ text, href }])

    expect([posting?.title, posting?.salary?.text ?? null]).toEqual([title, pay])
  })

  it('use the site’s name for a missing company', () => {
    expect(parseAlertPostings([{ text: 'Engineer', href }])).toMatchObject([
      { company: 'linkedin.com', location: '' },
    ])
  })

  it('are only the visible ones', () => {
    expect(
      linesOfHtml(
        '<style>p{}</style><p style="display: none">Secret</p><p>One <b>two</b> <a href="https://a.example">three</a></p>four<br>five',
      ),
    ).toEqual([
      { text: 'One two', href: null },
      { text: 'three', href: 'https://a.example' },
      { text: 'four', href: null },
      { text: 'five', href: null },
    ])
  })

  it('of plain text link to the URL below them', () => {
    expect(linesOfText('Hello\n\nEngineer\nAcme\nhttps://a.example/1.\n=====\nNobody')).toEqual([
      { text: 'Engineer', href: 'https://a.example/1' },
      { text: 'Acme', href: 'https://a.example/1' },
    ])
  })

  it('are none for a mail that is too large to read', () => {
    expect(linesOfHtml('<i>'.repeat(50_000))).toEqual([])
  })
})
