import { testServer, type TestServer } from 'dragoman/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { jobs } from './index.ts'

describe('the demo script of the jobs agent', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ agents: [jobs] })
    const post = (path: string, body: object) =>
      server.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post('/jobs', {
      title: 'Software Engineer (Remote)',
      company: 'Northwind',
      url: 'https://northwind.example/jobs/1',
      location: 'San Francisco',
    })
    await post('/jobs/resumes', { name: 'Main', content: '# Ada Park\n\n## Skills\n- Go, Kafka' })
  })
  afterAll(() => server.close())

  it.each<[string, string, object, RegExp]>([
    ['List my jobs', 'jobs_list', { language: 'en' }, /Northwind/],
    ['列出我保存的职位', 'jobs_list', { language: 'zh' }, /Northwind/],
    [
      'Find remote software engineer jobs',
      'jobs_search',
      { keywords: 'software engineer', remote: true },
      /Northwind/,
    ],
    ['Find rust jobs in Berlin', 'jobs_search', { keywords: 'rust', location: 'Berlin' }, /./],
    ['帮我搜索软件工程师职位', 'jobs_search', { keywords: '软件工程师' }, /Northwind/],
    ['搜索北京的后端职位', 'jobs_search', { keywords: '后端', location: '北京' }, /没有找到/],
    ['Does job 1 fit me?', 'jobs_prescore', { jobId: 1, language: 'en' }, /Northwind/],
    ['职位 1 适合我吗？', 'jobs_prescore', { jobId: 1, language: 'zh' }, /Northwind/],
    ['Show my statistics', 'jobs_list', { analytics: true, language: 'en' }, /./],
    ['看看我的求职统计', 'jobs_list', { analytics: true, language: 'zh' }, /\p{Script=Han}/u],
    ['Show my resume', 'resume_get_default', {}, /Go, Kafka/],
    ['看看我的简历', 'resume_get_default', {}, /Go, Kafka/],
  ])('answers “%s” with %s', async (message, toolName, input, text) => {
    const answer = await server.send('jobs', message)

    expect(answer.toolCalls).toMatchObject([{ toolName, input }])
    expect(answer.toolCalls[0]?.error).toBeUndefined()
    expect(answer.text).toMatch(text)
  })

  it.each([
    [
      'Mark job 1 as applied',
      /^I am dragoman's demo model .*“List my jobs”, .*“Show my resume”, or connect a real model/,
    ],
    ['职位3被拒了', /^我是 dragoman 的演示模型.*“列出我保存的职位”.*“看看我的简历”，或者连接真正的模型/],
  ])('calls no tool for “%s”', async (message, sentence) => {
    const answer = await server.send('jobs', message)

    expect(answer.toolCalls).toEqual([])
    expect(answer.text).toMatch(sentence)
  })
})
