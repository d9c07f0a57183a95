import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type Json } from '../../packages/dragoman/src/index.ts'
import { client } from '../support/http.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { generations, run } from './ag-ui-agent.ts'

const scripted = scriptedModel()
const starts: string[] = []
const booked: Json[] = []
const book = defineTool({
  name: 'book',
  description: 'Books a table.',
  inputSchema: z.object({ seats: z.int().max(8) }),
  async execute({ seats }, { ask, callId }) {
    starts.push(callId)
    const { time } = await ask({ message: 'When?', schema: z.object({ time: z.enum(['18:00', '20:00']) }) })
    const { name } = await ask<{ name: string }>({
      message: 'Under which name?',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    })
    booked.push({ seats, time, name })
    return { seats, time, name }
  },
})
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.int().max(100) }),
  needsApproval: true,
  execute: ({ amount }) => `Paid ${amount}.`,
})
const server = useServer({ models: scripted.models, tools: [book, pay] })

type Question = { readonly callId: string; readonly runId: string; readonly [field: string]: unknown }
const openQuestions = async (): Promise<readonly Question[]> => {
  const response = await client(server).get('/v1/questions')
  return ((await response.json()) as { questions: readonly Question[] }).questions
}
const answer = (question: Question | undefined, reply: Json): Promise<Response> =>
  client(server).post(`/v1/runs/${question?.runId}/answers`, {
    callId: question?.callId ?? '',
    answer: reply,
  })

let threads = 0
describe.each(generations)('the AG-UI client $version', ({ open }) => {
  const begin = () => open(`${server.url}/ag-ui/jobs`, `forms-${++threads}`)
  const resume = (agent: ReturnType<typeof open>, payload: Json) => ({
    resume: agent.pendingInterrupts.map(
      ({ id }) => ({ interruptId: id, status: 'resolved', payload }) as const,
    ),
  })

  it('fills in the forms of a tool, one after the other', async () => {
    scripted.play([step(calls('c1', 'book', { seats: 2 })), step(says('Booked.'))])
    const [startsBefore, bookedBefore] = [starts.length, booked.length]
    const agent = begin()
    await run(agent, 'Book')
    expect(agent.pendingInterrupts).toMatchObject([
      {
        reason: 'input_required',
        message: 'When?',
        responseSchema: { properties: { time: { type: 'string' } } },
      },
    ])

    await expect(run(agent, undefined, resume(agent, { time: '19:00' }))).rejects.toMatchObject({
      status: 400,
    })
    await run(agent, undefined, resume(agent, { time: '20:00' }))
    expect(agent.pendingInterrupts).toMatchObject([{ message: 'Under which name?' }])
    const last = await run(agent, undefined, resume(agent, { name: 'Ada' }))

    expect(last.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
    expect(booked.slice(bookedBefore)).toEqual([{ seats: 2, time: '20:00', name: 'Ada' }])
    expect(starts.slice(startsBefore)).toHaveLength(3)
    expect(JSON.stringify(scripted.prompts.at(-1))).toContain('Ada')
  })

  it('edits the arguments of an approval', async () => {
    scripted.play([step(calls('c1', 'pay', { amount: 90 })), step(says('Done.'))])
    const agent = begin()
    await run(agent, 'Pay')
    expect(agent.pendingInterrupts).toMatchObject([
      { responseSchema: { properties: { editedArgs: { properties: { amount: {} } } } } },
    ])
    const edited = (amount: number) => resume(agent, { approved: true, editedArgs: { amount } })

    await expect(run(agent, undefined, edited(900))).rejects.toMatchObject({ status: 400 })
    const events = await run(agent, undefined, edited(9))

    expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      content: expect.stringContaining('Paid 9.'),
    })
    expect(JSON.stringify(scripted.prompts.at(-1))).toContain('changed the input')
  })
})

describe('a form over /v1', () => {
  const begin = async (name: string) => {
    const text = { role: 'user', id: 'm', content: 'Go' }
    await (await client(server).post('/ag-ui/jobs', { threadId: name, runId: 'r', messages: [text] })).text()
    return (await openQuestions())[0]
  }
  const messagesOf = async (thread: string): Promise<string> =>
    (await client(server).get(`/v1/threads/${thread}/messages`)).text()

  it('is listed with its schema, and declined by a no', async () => {
    scripted.play([step(calls('c1', 'book', { seats: 2 })), step(says('Then not.'))])
    const question = await begin('declined')

    expect(question).toMatchObject({ kind: 'form', message: 'When?', schema: { required: ['time'] } })
    const refused = await answer(question, { kind: 'form', output: { time: 'noon' } })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('time')
    expect((await answer(question, { kind: 'approval', approved: true })).status).toBe(400)
    expect((await answer(question, { kind: 'approval', approved: false, reason: 'Later' })).status).toBe(200)
    await expect.poll(() => messagesOf('declined')).toContain('Then not.')
    expect(await messagesOf('declined')).toContain('The user declined to answer: Later')
    expect(await openQuestions()).toEqual([])
  })

  it('has the input of both in the log, and in history what ran', async () => {
    scripted.play([step(calls('c1', 'pay', { amount: 90 })), step(says('Paid.'))])
    const question = await begin('edited')
    const wrong = await answer(question, { kind: 'approval', approved: true, input: { amount: 'x' } })
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('amount')
    await answer(question, { kind: 'approval', approved: true, input: { amount: 5 } })
    await expect.poll(() => messagesOf('edited')).toContain('Paid.')

    expect(await messagesOf('edited')).toContain('"input":{"amount":5}')
    const log = await (await client(server).get(`/v1/runs/${question?.runId}/events`)).text()
    expect(log).toContain('"input":{"amount":90}')
    expect(log).toContain('"input":{"amount":5}')
  })
})
