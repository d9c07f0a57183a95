import { describe, expect, it } from 'vitest'

import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import {
  hasToolCalls,
  callsIn,
  isRunEnd,
  checkEvents,
  runAgent,
  socketClient,
  textIn,
  toolResult,
} from '../support/socket-client.ts'

const page = { name: 'addTodo', description: 'Adds a todo', parameters: { type: 'object' } }

describe('tools of a page of use-ai', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models })

  it('run in any order while the run waits', async () => {
    model.play([
      step(says('Two.'), calls('c1', 'addTodo', { text: 'milk' }), calls('c2', 'addTodo', {})),
      step(says('Both are there.')),
    ])
    using client = socketClient(server.url)
    client.send('run_agent', runAgent('thread-tools', 'run-tools', 'add', { tools: [page] }))
    await client.until(() => hasToolCalls('run-tools', 2)(client))
    const [first, second] = callsIn(client.of('run-tools'))
    expect([first?.input, second?.input]).toEqual([{ text: 'milk' }, {}])

    expect(await client.ask('tool_result', toolResult(second?.id ?? '', 'no JSON at all'))).toMatchObject({
      ok: true,
    })
    expect(await client.ask('tool_result', toolResult(second?.id ?? '', '"again"'))).toMatchObject({
      code: 'already-answered',
    })
    client.send('tool_result', toolResult(first?.id ?? '', '{"success":true}'))
    await client.until(isRunEnd('run-tools'))

    expect(checkEvents(client.of('run-tools')).at(-1)).toBe('RUN_FINISHED')
    expect(textIn(client.of('run-tools'))).toBe('Two.\n\nBoth are there.')
    const secondPrompt = JSON.stringify(model.prompts[1])
    expect(secondPrompt).toContain('no JSON at all')
    expect(secondPrompt).toMatch(/success\W+true/)
    expect(await client.ask('tool_result', toolResult(first?.id ?? '', '{}'))).toHaveProperty('code')
  })

  it('have a result if they return nothing', async () => {
    model.play([step(calls('c1', 'addTodo', { text: 'milk' })), step(says('Added.'))])
    using client = socketClient(server.url)
    client.send('run_agent', runAgent('thread-void', 'run-void', 'add', { tools: [page] }))
    await client.until(() => hasToolCalls('run-void')(client))
    const [call] = callsIn(client.of('run-void'))

    // `JSON.stringify(undefined)` is no text: the field is missing.
    const { content: _content, ...withoutContent } = toolResult(call?.id ?? '', '')
    expect(await client.ask('tool_result', withoutContent)).toMatchObject({ ok: true })
    await client.until(isRunEnd('run-void'))

    expect(textIn(client.of('run-void'))).toBe('Added.')
  })
})
