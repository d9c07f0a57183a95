import { describe, expect, it } from 'vitest'

import { calls, linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { useServer } from '../support/use-server.ts'
import { isRunEnd, checkEvents, runAgent, socketClient, textIn } from '../support/socket-client.ts'
import { createApplyTool } from './questions.ts'

describe('a use-ai page that cannot show an approval', () => {
  const model = scriptedModel()
  const { apply, applied } = createApplyTool()
  const server = useServer({ models: model.models, tools: [apply] })

  it.each([
    { asked: 'Apply.', said: 'yes', question: 'May I run this?', done: [3], told: 'Applied for 3.' },
    { asked: '申请吧', said: '是。', question: '可以运行以下工具吗？', done: [3], told: 'Applied for 3.' },
    { asked: 'Apply.', said: ' No. ', question: 'May I run this?', done: [], told: 'did not allow apply' },
    { asked: '申请吧', said: '否', question: '可以运行以下工具吗？', done: [], told: 'did not allow apply' },
  ])('gets the question as text, and answers with "$said"', async ({ asked, said, question, done, told }) => {
    const thread = `asked-${said}-${asked}`
    const before = applied.length
    model.play([step(says('I apply.'), calls('c1', 'apply', { job: 3 })), step(says('So be it.'))])
    using client = socketClient(server.url)
    await client.run(thread, 'r1', asked)

    expect(checkEvents(client.of('r1')).slice(-2)).toEqual(['TEXT_MESSAGE_END', 'RUN_FINISHED'])
    expect(textIn(client.of('r1'))).toContain(`I apply.\n\n${question}`)
    expect(textIn(client.of('r1'))).toContain('```\napply {\n  "job": 3\n}\n```')
    expect(client.of('r1').at(-1)).toMatchObject({ result: textIn(client.of('r1')) })
    await client.ask('run_agent', runAgent(thread, 'r2', said))
    await client.until(isRunEnd('r2'))

    expect(client.of('r2')[0]).toMatchObject({ type: 'RUN_STARTED', runId: 'r2' })
    expect(JSON.stringify(client.of('r2'))).toContain(told)
    expect(textIn(client.of('r2'))).toBe('So be it.')
    expect(checkEvents([...client.of('r1'), ...client.of('r2')]).slice(-2)).toEqual([
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ])
    const messageIds = client.events.flatMap(({ event: { type, messageId } }) =>
      type === 'TEXT_MESSAGE_START' ? [messageId] : [],
    )
    expect(new Set(messageIds).size).toBe(2)
    expect(applied.slice(before)).toEqual(done)
  })

  it('denies a call by sending another message, which is answered', async () => {
    const before = applied.length
    model.play([step(calls('c1', 'apply', { job: 3 })), step(says('It is noon.'))])
    using client = socketClient(server.url)
    await client.run('else', 'r1', 'Apply.')

    await client.run('else', 'r2', 'Yes, but what time is it?')

    expect(textIn(client.of('r2'))).toBe('It is noon.')
    expect(client.events.map(({ event: { type } }) => type)).not.toContain('RUN_ERROR')
    expect(linesOf(model.prompts.at(-1)).at(-1)).toBe('user: Yes, but what time is it?')
    expect(applied.slice(before)).toEqual([])
  })

  it('answers several questions, and a repeated answer counts once', async () => {
    const before = applied.length
    model.play([
      step(calls('c1', 'apply', { job: 1 }), calls('c2', 'apply', { job: 2 })),
      step(calls('c3', 'apply', { job: 3 })),
      step(says('All three.')),
    ])
    using client = socketClient(server.url)
    await client.run('many', 'r1', 'Apply.')
    expect(textIn(client.of('r1')).match(/^apply/gm)).toHaveLength(2)
    await client.run('many', 'r2', 'yes')
    expect(textIn(client.of('r2'))).toContain('"job": 3')

    await client.run('many', 'r3', 'yes')
    using other = socketClient(server.url)
    await other.run('many', 'r3', 'yes')

    expect(textIn(client.of('r3'))).toBe('All three.')
    expect(textIn(other.of('r3'))).toBe('All three.')
    expect(applied.slice(before)).toEqual([1, 2, 3])
  })

  it('is asked again before a "yes" counts for what another page was asked', async () => {
    const before = applied.length
    model.play([
      step(calls('c1', 'apply', { job: 1 })),
      step(calls('c2', 'apply', { job: 2 })),
      step(says('Both.')),
    ])
    using first = socketClient(server.url)
    using second = socketClient(server.url)
    await first.run('tabs', 'r1', 'Apply.')
    await second.run('tabs', 'r2', 'yes')
    expect(textIn(second.of('r2'))).toContain('"job": 1')
    expect(applied.slice(before)).toEqual([])
    await second.run('tabs', 'r3', 'yes')
    expect(applied.slice(before)).toEqual([1])

    await first.run('tabs', 'r4', 'yes')
    expect(textIn(first.of('r4'))).toContain('"job": 2')
    expect(checkEvents(first.of('r4'))).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ])
    expect(applied.slice(before)).toEqual([1])
    await first.run('tabs', 'r5', 'yes')

    expect(textIn(first.of('r5'))).toBe('Both.')
    expect(applied.slice(before)).toEqual([1, 2])
  })

  it('is shown all of an input as code, and cannot allow what it cannot be shown', async () => {
    const { apply: order, applied: orders } = createApplyTool('order')
    await using own = await openServer({ models: model.models, tools: [order] })
    const hidden = 'ok \u202e\u2066; rm \u2069 ```\n<!-- ; touch EVIL -->'
    model.play([step(calls('c1', 'order', { job: 1, note: hidden.repeat(20) })), step(says('Done.'))])
    using client = socketClient(own.url)
    await client.run('long', 'r1', 'Order.')

    const text = textIn(client.of('r1'))
    expect(text.replaceAll('\n', '').match(/touch/g)).toHaveLength(20)
    expect(text).not.toMatch(/[\u202e\u2066\u2069]/)
    expect(text.split('````')).toHaveLength(3)
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(81)

    model.play([step(calls('c2', 'order', { job: 2, note: hidden.repeat(2000) })), step(says('Done.'))])
    await client.run('longer', 'r2', 'Order.')
    expect(textIn(client.of('r2'))).toContain('too long for this page')
    await client.run('longer', 'r3', 'yes')
    expect(textIn(client.of('r3'))).toContain('too long for this page')
    expect(orders).toEqual([])
  })

  it('may send "yes" without a question', async () => {
    model.play([step(says('Shall I?')), step(says('I shall.'))])
    using client = socketClient(server.url)
    await client.run('plain', 'r1', 'Hm.')
    await client.run('plain', 'r2', 'yes')

    expect(textIn(client.of('r2'))).toBe('I shall.')
    expect(linesOf(model.prompts.at(-1)).at(-1)).toBe('user: yes')
  })
})
