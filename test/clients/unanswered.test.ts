import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult as outcome } from '../../packages/dragoman/src/index.ts'
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
import { generations, give, openCalls, run, textOf } from './ag-ui-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'

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

describe('a client that does not answer in time', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models, tools: [pay], flags: ['--answer-within', '1'] })
  expectNoWarnings()

  const plays = () => {
    model.play([step(calls('c1', 'paint', { color: 'red' })), step(says('The page is silent.'))])
  }
  const secondPrompt = () => JSON.stringify(model.prompts[1])
  /** Once the run of a call has ended. */
  const overOf = async (callId: string): Promise<void> => {
    const runId = callId.slice(0, callId.lastIndexOf('.'))
    const events = await fetch(`${server.url}/v1/runs/${runId}/events?protocol=native`)
    expect(await events.text()).toContain('run.finished')
  }

  it('ends the wait over Socket.IO, and later tool results are ignored', async () => {
    plays()
    using page = socketClient(server.url)
    page.send('run_agent', runAgent('thread-silent', 'run-silent', 'Paint', { tools }))
    await page.until(() => hasToolCalls('run-silent')(page))
    await page.until(isRunEnd('run-silent'))

    const events = page.of('run-silent')
    expect(checkEvents(events).at(-1)).toBe('RUN_FINISHED')
    expect(textIn(events)).toBe('The page is silent.')
    expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      content: 'The time to answer paint is over.',
    })
    expect(secondPrompt()).toContain('The time to answer')
    const late = toolResult(callsIn(events)[0]?.id ?? '', '"done"')
    expect(await page.ask('tool_result', late)).toHaveProperty('code')
    expect(page.of('run-silent')).toEqual(events)
  })

  it.each(generations)(
    'ends the wait over HTTP, and $version shows the continuation',
    async ({ version, open }) => {
      plays()
      const agent = open(`${server.url}/ag-ui/jobs`, `thread-${version}`)
      await run(agent, 'Paint', { tools })
      const [call] = openCalls(agent)
      await overOf(call?.id ?? '')

      give(agent, call?.id ?? '', 'done')
      await run(agent, undefined, { runId: 'late', tools })

      expect(textOf(agent)).toBe('The page is silent.')
      expect(secondPrompt()).toContain('The time to answer')
      expect(model.prompts).toHaveLength(2)
    },
  )

  it.each(generations)('has no open approval, and $version continues', async ({ version, open }) => {
    model.play([step(calls('c1', 'pay', {})), step(says('Not paid.')), step(says('Good day.'))])
    const agent = open(`${server.url}/ag-ui/jobs`, `pays-${version}`)
    await run(agent, 'Pay')
    const interruptId = agent.pendingInterrupts[0]?.id ?? ''
    await overOf(interruptId)

    await run(agent, undefined, { resume: [{ interruptId, status: 'cancelled' }] })
    await run(agent, 'Well')

    expect(textOf(agent)).toBe('Not paid.|Good day.')
    expect(secondPrompt()).toContain('The time to answer')
    expect(paid).toBe(0)
  })
})
