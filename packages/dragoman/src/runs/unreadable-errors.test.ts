import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../agents/index.ts'
import { chatRequest, harnesses, step } from './harness.fixture.ts'

const refuse = (): never => {
  throw new Error('a trap')
}
/** Whatever asks this what it is gets an error. */
const trap = (): object =>
  new Proxy(new Error('x'), { get: refuse, getPrototypeOf: refuse, has: refuse, ownKeys: refuse })
const unreadable = (): object => Object.defineProperty(new Error('x'), 'message', { get: refuse })

describe('an error that cannot be read', () => {
  const harness = harnesses()

  it.each([
    ['a proxy', trap],
    ['a getter', unreadable],
  ])('fails the call of the tool that throws it: %s', async (_what, make) => {
    const tool = defineTool({
      name: 'look',
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: () => {
        throw make() as Error
      },
    })
    const here = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'tool.called', callId: 'c', tool: 'look', input: {} })
        await host.call({ callId: 'c', tool: 'look', input: { value: {} } })
        await host.emit(step.finished)
      },
      { tools: [tool] },
    )

    const events = await here.ended((await here.runs.start(chatRequest('Look'))).run.id)

    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'tool.failed',
        failure: { code: 'tool-failed', message: 'An error that cannot be read.', retryable: false },
      }),
    )
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('fails the run of the engine that throws it, at its first attempt', async () => {
    let attempts = 0
    const here = await harness(async () => {
      attempts += 1
      throw trap() as Error
    })

    const events = await here.ended((await here.runs.start(chatRequest('Look'))).run.id)

    expect(events.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'internal' } })
    expect(attempts).toBe(1)
  })
})
