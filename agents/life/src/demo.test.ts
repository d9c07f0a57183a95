import { testServer, type TestServer } from 'dragoman/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { life } from './index.ts'

describe('the demo script of the life agent', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ agents: [life] })
  })
  afterAll(() => server.close())

  const ask = async (message: string) => {
    const { toolCalls, text } = await server.send('life', message)
    expect(toolCalls.filter(({ error }) => error)).toEqual([])
    return { calls: toolCalls.map(({ toolName, input }) => [toolName, input]), text }
  }

  it.each([
    ['Show me my chart', /^Your birth data is not known yet/],
    ['看看我的八字', /^还没有你的出生信息/],
  ])('opens the form if the birth data is not known: “%s”', async (message, text) => {
    const answer = await ask(message)

    expect(answer.calls).toEqual([
      ['show_bazi_chart', expect.anything()],
      ['request_info', { info_type: 'birth' }],
    ])
    expect(answer.text).toMatch(text)
  })

  it('shows the chart once the birth data is saved', async () => {
    await using other = await testServer({ agents: [life] })
    const birth = { date: '1990-05-15', time: '14:30', place: '成都', gender: 'male' }
    const saved = await other.fetch('/life/profile/birth', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(birth),
    })
    expect(saved.status).toBe(200)

    for (const message of ['Show me my chart', '看看我的八字', '填好了']) {
      const { toolCalls, text } = await other.send('life', message)

      expect(toolCalls).toMatchObject([{ toolName: 'show_bazi_chart', output: { status: 'success' } }])
      expect(text).toMatch(
        /^(?:Your chart is Geng-Wu \(庚午\), .*|你的命盘是庚午、辛巳、庚辰、癸未，日主为庚（阳金）。)$/m,
      )
      expect(text).not.toMatch(/藏干|Hidden stems/)
    }
  })

  it.each<[string, string, object, RegExp]>([
    ['What does the almanac say today?', 'show_almanac', {}, /./],
    ['今天宜忌什么？', 'show_almanac', {}, /宜/],
    ['2026-01-21 的黄历', 'show_almanac', { date: '2026-01-21' }, /宜/],
    ['Delete my data', 'delete_my_data', {}, /confirm delete/],
    ['删除我的数据', 'delete_my_data', {}, /确认删除/],
  ])('answers “%s” with %s', async (message, toolName, input, text) => {
    const answer = await ask(message)

    expect(answer.calls).toEqual([[toolName, input]])
    expect(answer.text).toMatch(text)
  })

  it.each([
    [
      'Remember that I like hiking.',
      'What do you remember about me?',
      'Forget that I like hiking',
      'I like hiking',
    ],
    ['记住我喜欢爬山。', '你记得我什么？', '忘掉爬山那条', '我喜欢爬山'],
  ])('remembers, lists and forgets: “%s”', async (save, list, forget, content) => {
    expect((await ask(save)).calls).toEqual([['save_memory', { content, type: 'fact' }]])
    expect((await ask(list)).text).toContain(content)
    expect((await ask(forget)).text).toMatch(/^(?:Forgotten for good|已经彻底忘掉)/)
    expect((await ask(list)).text).not.toContain(content)
  })

  it.each(['Forget everything', '忘掉我'])('asks before it forgets all: “%s”', async (message) => {
    const answer = await server.send('life', message)

    expect(answer).toMatchObject({ status: 'waiting', toolCalls: [{ input: { all: true } }] })
  })

  it.each([
    ['I feel sad today', /^I am dragoman's demo model .*“Show me my chart”, .*or connect a real model/],
    ['你好', /^我是 dragoman 的演示模型.*“看看我的八字”.*或者连接真正的模型/],
  ])('calls no tool for “%s”', async (message, sentence) => {
    const answer = await ask(message)

    expect(answer.calls).toEqual([])
    expect(answer.text).toMatch(sentence)
  })

  it('does not answer words of danger: the input guardrail does', async () => {
    expect((await ask('我想自杀')).text).not.toContain('演示模型')
  })
})
