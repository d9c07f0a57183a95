import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type Agent, type DemoScript } from '../agents/index.ts'
import {
  breakOff,
  finish,
  gate,
  pause,
  reasoning,
  scriptedModel,
  silence,
  testServer,
  text,
  toolCall,
  type ScriptedModel,
} from './index.ts'

const dice: Agent = {
  id: 'dice',
  name: 'Dice',
  description: 'Rolls dice.',
  instructions: 'Roll dice with your tool.',
  engine: 'default',
  maxSteps: 5,
  tools: [],
}
const roll = defineTool({
  name: 'roll',
  description: 'Rolls one die.',
  inputSchema: z.object({ sides: z.int().min(2) }),
  execute: ({ sides }) => sides - 2,
})
const open = (model: ScriptedModel, more: Partial<Agent> = {}, tools = [roll]) =>
  testServer({ agents: [{ ...dice, model, tools, ...more }] })

const demo: DemoScript = [
  { when: /(\d+) sides/, call: 'roll', input: ([, sides]) => ({ sides: Number(sides) }) },
]

describe('testServer', () => {
  it('returns the text, the tool calls and the events of a run', async () => {
    const model = scriptedModel([
      [reasoning('Six sides.'), toolCall('roll', { sides: 6 })],
      text('You rolled ', pause(1), 'a 4.'),
    ])
    await using server = await open(model)

    const answer = await server.send('dice', 'Roll a die.')

    expect(answer).toMatchObject({
      text: 'You rolled a 4.',
      toolCalls: [{ toolName: 'roll', input: { sides: 6 }, output: 4 }],
      status: 'finished',
    })
    expect(answer.events.at(0)).toMatchObject({ type: 'run.started', agent: 'dice' })
    expect(answer.events.at(-1)).toMatchObject({
      type: 'run.finished',
      usage: { inputTokens: 14, outputTokens: 10 },
    })
    expect(model.requests[0]?.tools).toMatchObject([{ name: 'roll' }])
    expect(JSON.stringify(model.prompts[1])).toContain('"value":"4"')
  })

  it('continues a thread, and answers requests to a path', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    await using server = await open(model)

    const { threadId } = await server.send('dice', 'First')
    const second = await server.send('dice', 'Second', { threadId })

    expect(second).toMatchObject({ text: 'Two.', threadId })
    expect(JSON.stringify(model.prompts[1])).toMatch(/First.*One\..*Second/)
    const status = await server.fetch('/dice/agent/status')
    expect(await status.json()).toMatchObject({ agent: 'dice', model: 'scripted:model' })
  })

  it('answers by the demo model if an agent has no model, whatever the environment has', async () => {
    await using server = await testServer({ agents: [{ agent: { ...dice, tools: [roll] }, demo }] })

    const answer = await server.send('dice', 'Roll a die with 6 sides.')

    expect(answer).toMatchObject({ status: 'finished', toolCalls: [{ toolName: 'roll', output: 4 }] })
  })

  it('returns when a run waits for a person', async () => {
    const asking = { ...roll, needsApproval: () => true }
    await using server = await open(scriptedModel([toolCall('roll', { sides: 6 })]), {}, [asking])

    const answer = await server.send('dice', 'Roll a die.')

    expect(answer.status).toBe('waiting')
    expect(answer.toolCalls).toEqual([{ toolName: 'roll', input: { sides: 6 } }])
  })

  it('reports why a run failed, and why a message was refused', async () => {
    const retries = { retries: 0 }
    const model = scriptedModel([
      new Error('overloaded'),
      [text('Half'), breakOff(new TypeError('terminated'))],
    ])
    await using server = await open(model, { model: { primary: model, ...retries } })

    expect(await server.send('dice', 'Go.')).toMatchObject({
      status: 'failed',
      error: { code: 'model-failed', message: expect.stringContaining('scripted:model') },
    })
    expect(await server.send('dice', 'Go.')).toMatchObject({ status: 'failed', text: 'Half' })
    await expect(server.send('cards', 'Go.')).rejects.toThrow('agent: must be one of dice.')
  })

  it('shows a run in the middle of its answer', async () => {
    const here = gate()
    await using server = await open(scriptedModel([text('Half', here, ' done.')]))

    const sending = server.send('dice', 'Go.')
    await here.reached
    here.open()

    expect((await sending).text).toBe('Half done.')
  })

  it('refuses an invalid agent, and leaves no folder behind', async () => {
    await expect(testServer({ agents: [{ agent: { ...dice, maxSteps: 0 } }] })).rejects.toThrow(
      'Agent "dice": maxSteps',
    )
  })
})

describe('scriptedModel', () => {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]

  it('answers without streaming too', async () => {
    const step = [reasoning('Hm.'), text('Hi', ' there.'), toolCall('roll', { sides: 6 }, { id: 'c1' })]
    const { content, finishReason } = await scriptedModel([step]).doGenerate({ prompt })

    expect(content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hi there.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'roll', input: '{"sides":6}' },
    ])
    expect(finishReason.unified).toBe('tool-calls')
  })

  it('ends as its script says, and fails after its last step', async () => {
    const model = scriptedModel([({ prompt: [first] }) => [text(String(first?.role)), finish('length')]])

    const { stream } = await model.doStream({ prompt })

    expect((await Array.fromAsync(stream)).at(-1)).toMatchObject({ finishReason: { unified: 'length' } })
    await expect(model.doStream({ prompt })).rejects.toThrow('The script ends before call 2 of the model.')
  })

  it('is silent until it is aborted', async () => {
    const stop = new AbortController()
    const model = scriptedModel([[text('Hi'), silence()]])
    const { stream } = await model.doStream({ prompt, abortSignal: stop.signal })
    const reader = stream.getReader()
    for (const _ of ['stream-start', 'text-start', 'text-delta', 'text-end']) await reader.read()

    const next = reader.read()
    stop.abort(new Error('stopped'))

    await expect(next).rejects.toThrow('stopped')
  })
})
