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
    [
      `About the job\n${prose}`,
      'https://www.linkedin.com/jobs/view/senior-go-engineer-at-acme-4012345678',
      'senior go engineer at acme',
    ],
    [`About the job\n${prose}`, 'https://www.linkedin.com/jobs/view/4012345678', 'Posting on linkedin.com'],
    [prose, 'https://boards.greenhouse.io/acme/jobs/7', 'Posting on boards.greenhouse.io'],
    [`Go Engineer\n${prose}`, 'https://boards.greenhouse.io/acme/jobs/7', 'Go Engineer'],
  ])('has a title also where it is a description alone', async (content, url, title) => {
    const { call } = await setUp()

    expect(await call('/ingest', { url, content })).toMatchObject({ status: 200, body: { job: { title } } })
  })
})
