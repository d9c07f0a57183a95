import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'
import { readLabelledFacts } from './labelled-facts.ts'

const prose = 'You build reliable services in Go and keep them running. '.repeat(5)

describe('the labelled facts of a page', () => {
  it.each([
    [
      'Company: Lion City Robotics\nLocation: Singapore\nSalary: SGD 9,000 – 12,000 a month',
      { company: 'Lion City Robotics', location: 'Singapore', salary: 'SGD 9,000 – 12,000 a month' },
    ],
    ['- **Employer:** Acme\n- **City**: Oslo', { company: 'Acme', location: 'Oslo' }],
    [
      '公司名称：云帆科技\n工作地点：杭州\n薪资：30-50K·14薪',
      { company: '云帆科技', location: '杭州', salary: '30-50K·14薪' },
    ],
    ['Company: First\nCompany: Second', { company: 'First' }],
    ['About the company: we are nice\nhttps://acme.example', {}],
    [`Company: ${'long '.repeat(40)}`, {}],
  ])('of %j', (text, facts) => {
    expect(readLabelledFacts(text)).toEqual({ title: '', company: '', location: '', salary: '', ...facts })
  })

  it('are stored where the page says them in no other way', async () => {
    const { call } = await setUp()
    const content =
      '<h1>Backend Engineer</h1><p>Company: Lion City Robotics</p><p>Location: Singapore</p>' +
      `<p>Salary: SGD 9,000 – 12,000 / month</p><p>${prose}</p>`

    expect((await call('/ingest', { url: 'https://jobs.example/1', content })).body).toMatchObject({
      status: 'ok',
      jobId: 1,
      created: true,
      job: {
        id: 1,
        title: 'Backend Engineer',
        company: 'Lion City Robotics',
        location: 'Singapore',
        salary: { currency: 'SGD', min: 9000, max: 12_000 },
      },
    })
  })
})

describe('a page that a client has read by itself', () => {
  it('has the title, the company and the place that the client names', async () => {
    const { call } = await setUp()
    const named = { title: 'Staff Engineer', company: 'Northwind', location: 'Oslo' }

    const { status, body } = await call('/ingest', {
      url: 'https://jobs.example/2',
      content: prose,
      ...named,
    })

    expect({ status, body }).toMatchObject({ status: 200, body: { job: named } })
  })

  it.each([
    ['www.linkedin.com/jobs/view/go-engineer-at-north-wind-4012345678', 'go engineer', 'North Wind'],
    ['www.linkedin.com/jobs/view/4012345678', 'Posting on linkedin.com', 'linkedin.com'],
    ['boards.greenhouse.io/acme/jobs/7', 'Posting on boards.greenhouse.io', 'Acme'],
    ['jobs.lever.co/acme/0d8a8e4f-7b3c-4a0b-9a2a-0e0f4d7d8b11', 'Posting on jobs.lever.co', 'Acme'],
    ['wellfound.com/company/acme/jobs/3012346-staff-engineer', 'staff engineer', 'Acme'],
    [
      'www.glassdoor.com/job-listing/go-engineer-north-wind-JV_IC3235921_KO0,11_KE12,22.htm?jl=1009',
      'go engineer',
      'North Wind',
    ],
  ])(
    'has the title and the company of its address where it is a description: %s',
    async (url, title, company) => {
      const { call } = await setUp()
      const content = `About the job\n${prose}`

      expect(await call('/ingest', { url: `https://${url}`, content })).toMatchObject({
        status: 200,
        body: { job: { title, company } },
      })
    },
  )

  it.each([
    [prose, 'Posting on boards.greenhouse.io'],
    [`Go Engineer\n${prose}`, 'Go Engineer'],
  ])('has its first line as its title, if it is short', async (content, title) => {
    const { call } = await setUp()
    const url = 'https://boards.greenhouse.io/acme/jobs/7'

    expect(await call('/ingest', { url, content })).toMatchObject({ status: 200, body: { job: { title } } })
  })
})
