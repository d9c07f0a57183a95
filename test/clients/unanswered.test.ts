import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult as outcome } from '../../packages/dragoman/src/index.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import {
  called,
  callsIn,
  ended,
  judged,
  runAgent,
  socketClient,
  textIn,
  toolResult,
} from '../support/socket-client.ts'
import { generations, give, openCalls, run, textOf, warnsOfNothing } from './ag-ui-agent.ts'

const schema = { type: 'object' }
const tools = [{ name: 'paint', description: 'Paints the page.', parameters: schema }]

let paid = 0
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({}),
  needsApproval: true,
  async execute() {
    paid += 1
    return outcome({ output: null, text: 'Paid.' })
  },
})

describe('who is silent for longer than the server waits', () => {
  const model = scriptedModel()
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({ models: model.models, tools: [pay], flags: ['--answer-within', '1'] })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  warnsOfNothing()

  const plays = () => {
    model.play([step(calls('c1', 'paint', { color: 'red' })), step(says('The page is silent.'))])
  }
  const told = () => JSON.stringify(model.prompts[1])
  /** Once the run of a call has ended. */
  const overOf = async (callId: string): Promise<void> => {
    const runId = callId.slice(0, callId.lastIndexOf('.'))
    const events = await fetch(`${server.url}/v1/runs/${runId}/events?protocol=native`)
    expect(await events.text()).toContain('run.finished')
  }

  it('frees its run over Socket.IO; what a page’s tool says afterwards is passed over', async () => {
    plays()
    using page = socketClient(server.url)
    page.send('run_agent', runAgent('thread-silent', 'run-silent', 'Paint', { tools }))
    await page.until(() => called('run-silent')(page))
    await page.until(ended('run-silent'))

    const events = page.of('run-silent')
    expect(judged(events).at(-1)).toBe('RUN_FINISHED')
    expect(textIn(events)).toBe('The page is silent.')
    expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      content: 'Nobody answered in time whether, or with what, paint may go on.',
    })
    expect(told()).toContain('Nobody answered in time')
    const late = toolResult(callsIn(events)[0]?.id ?? '', '"done"')
    expect(await page.ask('tool_result', late)).toHaveProperty('code')
    expect(page.of('run-silent')).toEqual(events)
  })

  it.each(generations)(
    'frees its run over HTTP; $version is told how it went on',
    async ({ version, open }) => {
      plays()
      const agent = open(`${server.url}/ag-ui/jobs`, `thread-${version}`)
      await run(agent, 'Paint', { tools })
      const [call] = openCalls(agent)
      await overOf(call?.id ?? '')

      give(agent, call?.id ?? '', 'done')
      await run(agent, undefined, { runId: 'late', tools })

      expect(textOf(agent)).toBe('The page is silent.')
      expect(told()).toContain('Nobody answered in time')
      expect(model.prompts).toHaveLength(2)
    },
  )

  it.each(generations)('is asked for no yes any more, and $version talks on', async ({ version, open }) => {
    model.play([step(calls('c1', 'pay', {})), step(says('Not paid.')), step(says('Good day.'))])
    const agent = open(`${server.url}/ag-ui/jobs`, `pays-${version}`)
    await run(agent, 'Pay')
    const interruptId = agent.pendingInterrupts[0]?.id ?? ''
    await overOf(interruptId)

    await run(agent, undefined, { resume: [{ interruptId, status: 'cancelled' }] })
    await run(agent, 'Well')

    expect(textOf(agent)).toBe('Not paid.|Good day.')
    expect(told()).toContain('Nobody answered in time')
    expect(paid).toBe(0)
  })
})
