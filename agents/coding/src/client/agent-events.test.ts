import { describe, expect, it } from 'vitest'

import { cutLine } from '../../../../test/support/cut-line.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, FAILED, says, scriptedModel, step, thinks } from '../../../../test/support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../../../../test/support/server.ts'
import { storyTools } from '../../../../test/support/story-tools.ts'
import { breakOff } from '../../../../packages/dragoman/src/testing/script.ts'
import { agentEvents as format } from '../protocols/agent-events/index.ts'
import { agentAnswers, agentEvents, type AgentAnswer } from './index.ts'

const where = gate()
const opened = (options: ServerOptions): Promise<TestServer> =>
  openServer({ ...options, capability: { protocols: [format] } })

/** A run, and the address at which it is read in agent events. */
async function read(url: string): Promise<string> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  await fetch(`${url}/v1/threads`, { ...json, body: JSON.stringify({ agent: 'jobs', name: 't' }) })
  const answer = await fetch(`${url}/v1/threads/t/runs`, {
    ...json,
    body: JSON.stringify({ message: 'Go.' }),
  })
  return `${url}/v1/runs/${answer.headers.get('x-run-id')}/events?protocol=agent-events`
}

const answersOf = async (from: Response): Promise<AgentAnswer[]> =>
  Array.fromAsync(agentAnswers(agentEvents(from)))

describe('reading agent events', () => {
  it('receives the growing answer and finally the conversation', async () => {
    const script = [
      step(
        thinks('看看.'),
        says('I look. '),
        calls('c1', 'weather', { city: 'Oslo' }),
        calls('c2', 'station', {}),
      ),
      step(says('It rains', ' 下雨 ☔.')),
    ]
    await using server = await opened({ ...scriptedModel(script), tools: [...storyTools] })

    const answers = await answersOf(await fetch(await read(server.url)))

    const called = [
      { name: 'weather', input: { city: 'Oslo' }, status: 'done', output: 'Rain in Oslo.' },
      { name: 'station', input: {}, status: 'failed', output: 'The station is closed.' },
    ]
    expect(answers.at(-1)).toMatchObject({
      text: 'I look. It rains 下雨 ☔.',
      thinking: '看看.',
      speaking: false,
      tools: called,
      stopped: false,
    })
    expect(answers.at(-1)?.messages?.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Go.'],
      ['assistant', 'I look. '],
      ['tool', 'Rain in Oslo.'],
      ['tool', 'The station is closed.'],
      ['assistant', 'It rains 下雨 ☔.'],
    ])
    expect(
      answers.map(({ tools: [first] }) => first?.status).filter((each) => each === 'running'),
    ).not.toEqual([])
    expect(answers.slice(0, -1).filter(({ messages }) => messages)).toEqual([])
  })

  it('receives the failure and still the conversation', async () => {
    await using server = await opened(scriptedModel([step(says('Hel', breakOff(new Error('SECRET'))))]))

    expect((await answersOf(await fetch(await read(server.url)))).at(-1)).toMatchObject({
      text: 'Hel',
      error: { message: FAILED, code: 'model-failed' },
      messages: [{ role: 'user' }, { role: 'assistant', content: 'Hel' }],
    })
  })

  it('throws if the connection breaks before the end', async () => {
    await using server = await opened(scriptedModel([step(says('It rains', where))]))
    await using line = await cutLine(server.url)
    const url = (await read(server.url)).replace(server.url, line.url)
    const answers = agentAnswers(agentEvents(await fetch(url)))

    for (let texts = ''; texts !== 'It rains';) texts = (await answers.next()).value?.text ?? ''
    line.cut()

    await expect(answers.next()).rejects.toThrow('The answer was cut off before its end.')
    where.open()
  })

  it('stops when the request is aborted', async () => {
    const never = gate()
    await using server = await opened(scriptedModel([step(says('It rains', never))]))
    const abort = new AbortController()
    const events = agentEvents(await fetch(await read(server.url), abort), abort.signal)

    expect((await events.next()).value).toEqual({ type: 'agent_start' })
    abort.abort(new Error('I go.'))

    await expect(Array.fromAsync(events)).rejects.toThrow('I go.')
    never.open()
  })

  it('throws the error of the server', async () => {
    await using server = await opened(scriptedModel())

    await expect(
      answersOf(await fetch(`${server.url}/v1/runs/run_none/events?protocol=agent-events`)),
    ).rejects.toMatchObject({ cause: { status: 404, code: 'not-found' } })
  })
})
