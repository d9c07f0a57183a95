import { testServer, type TestServer } from 'dragoman/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { assistant } from './index.ts'

describe('the demo script of the assistant', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ agents: [assistant] })
  })
  afterAll(() => server.close())

  it.each<[string, string, object, RegExp]>([
    ['What is 0.1 + 0.2?', 'calculate', { expression: '0.1 + 0.2' }, /^0\.1 \+ 0\.2 = 0\.3\n/],
    ['What is 8% of 250?', 'calculate', { expression: '8% of 250' }, /= 20\n/],
    ['0.1 + 0.2 等于多少？', 'calculate', { expression: '0.1 + 0.2' }, /^0\.1 \+ 0\.2 = 0\.3\n/],
    ['What time is it in Tokyo?', 'current_time', { zone: 'Asia/Tokyo' }, /\(Asia\/Tokyo, UTC\+09:00\)/],
    ['东京现在几点？', 'current_time', { zone: 'Asia/Tokyo' }, /\(Asia\/Tokyo, UTC\+09:00\)/],
    ['What time is it?', 'current_time', {}, /\(UTC/],
  ])('answers “%s” with %s', async (message, toolName, input, text) => {
    const answer = await server.send('assistant', message)

    expect(answer.toolCalls).toMatchObject([{ toolName, input }])
    expect(answer.text).toMatch(text)
  })

  it.each(['Read http://127.0.0.1:1/', '读一下 http://127.0.0.1:1/'])(
    'refuses a private address: “%s”',
    async (words) => {
      const answer = await server.send('assistant', words)

      expect(answer.toolCalls).toMatchObject([
        { toolName: 'fetch_page', error: { code: expect.any(String) } },
      ])
      expect(answer.text).toContain('is not a public address')
    },
  )

  it.each([
    ['Tell me a joke', /^I am dragoman's demo model .*“What is 0\.1 \+ 0\.2\?”, .*or connect a real model/],
    ['讲个笑话', /^我是 dragoman 的演示模型.*“0\.1 \+ 0\.2 等于多少？”.*或者连接真正的模型/],
    ['Add milk to my todo list', /^I am dragoman's demo model/],
  ])('calls no tool for “%s”', async (message, sentence) => {
    const answer = await server.send('assistant', message)

    expect(answer.toolCalls).toEqual([])
    expect(answer.text).toMatch(sentence)
  })
})
