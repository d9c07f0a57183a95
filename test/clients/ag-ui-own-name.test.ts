import { describe, expect, it } from 'vitest'

import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { generations, give, openCalls, run, textOf } from './ag-ui-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { createApplyTool } from './questions.ts'

const scripted = scriptedModel()
const { apply, applied } = createApplyTool()
const server = useServer({ models: scripted.models, tools: [apply] })
expectNoWarnings()

const tools = [{ name: 'paint', description: 'Paints the page.', parameters: { type: 'object' } }]

let threads = 0
describe.each(generations)('the AG-UI client $version with the id of the suspended run', ({ open }) => {
  const begin = () => open(`${server.url}/ag-ui/jobs`, `thread-${++threads}`)

  it('answers several times, and a repeated answer counts once', async () => {
    const before = applied.length
    scripted.play([
      step(calls('c1', 'apply', { job: 1 })),
      step(calls('c2', 'paint', { color: 'red' })),
      step(calls('c3', 'apply', { job: 2 })),
      step(says('All is done.')),
    ])
    const agent = begin()
    const runId = 'r1'
    const yeses = () =>
      agent.pendingInterrupts.map(
        ({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } }) as const,
      )
    await run(agent, 'Go', { runId, tools })

    const first = yeses()
    const painting = await run(agent, undefined, { runId, tools, resume: first })
    expect(painting[0]).toMatchObject({ type: 'RUN_STARTED', runId })
    expect(openCalls(agent)).toMatchObject([{ function: { name: 'paint' } }])
    give(agent, openCalls(agent)[0]?.id ?? '', 'It is red now.')
    await run(agent, undefined, { runId, tools })
    const second = yeses()
    expect(second).toHaveLength(1)
    const last = await run(agent, undefined, { runId, tools, resume: second })
    expect(await run(agent, undefined, { runId, tools, resume: second })).toEqual(last)

    expect(last.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId })
    expect(applied.slice(before)).toEqual([1, 2])
    expect(textOf(agent)).toContain('All is done.')
    expect(scripted.prompts).toHaveLength(4)
  })

  it('is rejected if the run asks nothing', async () => {
    scripted.play([step(says('Good day.'))])
    const agent = begin()
    await run(agent, 'Hello', { runId: 'r1' })
    const none = { interruptId: 'run_x.1', status: 'resolved', payload: true } as const

    await expect(run(agent, undefined, { runId: 'r1', resume: [none] })).rejects.toMatchObject({
      status: 422,
    })
  })
})
