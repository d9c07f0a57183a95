import { describe, expect, it } from 'vitest'

import type { WorkflowRunner } from './workflow-runner.ts'
import { emptyMessage, noUsage, type Json, type Usage } from 'dragoman/events'
import type { EngineEvent, EngineJob } from 'dragoman/agents'
import { workflowEngine } from './workflow-engine.ts'

const runner: WorkflowRunner = {
  name: 'here',
  workflows: [{ id: 'greet', description: '' }],
  async run({ inputs, words }, tell) {
    await tell({ type: 'node', node: 'n1', title: 'Say', state: 'started' })
    await tell({ type: 'text', delta: JSON.stringify(inputs) })
    await tell({ type: 'text', delta: words })
    return { inputTokens: 1, outputTokens: 2 }
  },
}

async function run(
  context: Json,
  soFar?: EngineJob['partialAnswer'],
  runs: WorkflowRunner = runner,
): Promise<EngineEvent[]> {
  const events: EngineEvent[] = []
  const job: EngineJob = {
    agent: {
      id: 'workflows',
      name: '',
      description: '',
      instructions: '',
      maxSteps: 1,
      model: { primary: 'offline', fallback: 'offline' },
      tools: [],
    },
    userId: 'ada',
    context,
    tools: [],
    history: [{ role: 'user', id: 'm1', parts: [{ type: 'text', text: ' Hi.' }] }],
    ...(soFar && { partialAnswer: soFar }),
    stepsLeft: 1,
  }
  await workflowEngine(runs).run(job, {
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
    call: async () => ({ ok: false, output: null, text: '' }),
    charge: () => () => undefined,
    takeUserMessages: async () => [],
    saveFile: async () => '/v1/files/file_1',
    readFile: async () => new Uint8Array(),
  })
  return events
}

describe('the engine of workflows', () => {
  it('runs a workflow as one step', async () => {
    expect(await run({ runner: 'here', workflowId: 'greet', inputs: { a: 1 } })).toEqual([
      { type: 'step.started', model: 'here:greet' },
      {
        type: 'data',
        name: 'workflow-node',
        id: 'n1',
        transient: true,
        value: { node: 'n1', title: 'Say', state: 'started' },
      },
      { type: 'text.started', partId: 'text' },
      { type: 'text.delta', partId: 'text', delta: '{"a":1}' },
      { type: 'text.delta', partId: 'text', delta: ' Hi.' },
      { type: 'text.ended', partId: 'text' },
      { type: 'step.finished', reason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } },
    ])
  })

  it.each([undefined, noUsage])('estimates the tokens of a workflow that reports %j', async (reported) => {
    const silent = {
      ...runner,
      run: async (...args: Parameters<WorkflowRunner['run']>): Promise<Usage | undefined> => {
        await runner.run(...args)
        return reported
      },
    }
    const events = await run({ runner: 'here', workflowId: 'greet', inputs: { a: 1 } }, undefined, silent)

    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 3, outputTokens: 3, estimated: true } })
  })

  it('does not start a workflow again after a crash', async () => {
    const message = { ...emptyMessage('msg_1'), parts: [{ type: 'step' as const, model: 'here:greet' }] }

    await expect(run({ runner: 'here', workflowId: 'greet' }, message)).rejects.toMatchObject({
      code: 'outcome-unknown',
    })
  })

  it('fails if the workflow is gone when the run starts', async () => {
    await expect(run({ runner: 'here', workflowId: 'gone' })).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })
})
