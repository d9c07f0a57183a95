import { describe, expect, it } from 'vitest'

import { calls, linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
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
    expect(textIn(client.of('r1'))).toContain('- apply {"job":3}')
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
    expect(textIn(client.of('r1')).match(/- apply/g)).toHaveLength(2)
    await client.run('many', 'r2', 'yes')
    expect(textIn(client.of('r2'))).toContain('- apply {"job":3}')

    client.socket.disconnect().connect()
    await client.run('many', 'r3', 'yes')
    using other = socketClient(server.url)
    await other.run('many', 'r3', 'yes')

    expect(textIn(client.of('r3'))).toBe('All three.')
    expect(textIn(other.of('r3'))).toBe('All three.')
    expect(applied.slice(before)).toEqual([1, 2, 3])
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
