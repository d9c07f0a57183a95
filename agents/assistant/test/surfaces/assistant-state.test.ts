import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { assistant } from '../../src/index.ts'

const DELTA = '"delta":[{"op":"replace","path":"/theme","value":"dark"}]'

describe('the shared state of a page', () => {
  it('changes in English and Chinese, and stays unchanged if no state is shared', async () => {
    await using server = await openServer({
      models: createModels({ env: {}, offlinePace: 0 }),
      agents: [assistant],
    })
    const ask = async (runId: string, content: string, state?: object) => {
      const message = { id: `m-${runId}`, role: 'user', content }
      const input = {
        threadId: `t-${runId}`,
        runId,
        messages: [message],
        tools: [],
        context: [],
        ...(state && { state: { ...state } }),
      }
      const answer = await client(server).post('/ag-ui/assistant', input)
      return answer.text()
    }

    const english = await ask('r1', 'set the theme to dark', { theme: 'light', count: 1 })
    expect(english).toContain(DELTA)
    expect(english).toContain('"toolCallName":"update_state"')
    expect(await ask('r2', '把 theme 改成 dark', { theme: 'light' })).toContain(DELTA)
    expect(await ask('r3', 'set the theme to dark')).not.toContain('update_state')
  })
})

describe('the prompts of a use-ai page', () => {
  const prompt = 'You help with todos.\n\n---\n\nTodos: 1. milk'
  const patch = [{ op: 'add', path: '/seen', value: true }]
  const askWith = async (flags: readonly string[], state: Json) => {
    const model = scriptedModel([step(calls('c1', 'update_state', { patch })), step(says('Hello.'))])
    await using server = await openServer({ models: model.models, agents: [assistant], flags })
    const messages = [{ id: 'm1', role: 'user', content: 'hello' }]
    const input = { threadId: 't1', runId: 'r1', messages, tools: [], context: [], state }
    const answer = await (await client(server).post('/ag-ui/assistant', input)).text()
    const system = model.prompts[0]?.find(({ role }) => role === 'system')
    return { system: JSON.stringify(system?.content), changesState: answer.includes('STATE_DELTA') }
  }

  it('are data, unless the owner lets them instruct', async () => {
    const data = await askWith([], { context: prompt })
    expect(data.system).toContain('<shared-state>')
    expect(data.system).not.toContain("From the application's owner")
    expect(data.changesState).toBe(true)

    const instructed = await askWith(['--page-instructions'], { context: prompt })
    expect(instructed.system).toContain(`# From the application's owner`)
    expect(instructed.system).toContain(JSON.stringify(`stands above.\n\n${prompt}`).slice(1, -1))
    expect(instructed.changesState).toBe(false)
  })

  it('are not any other state', async () => {
    const { system, changesState } = await askWith(['--page-instructions'], {
      context: prompt,
      todos: ['milk'],
    })
    expect(system).not.toContain("From the application's owner")
    expect(changesState).toBe(true)
  })
})
