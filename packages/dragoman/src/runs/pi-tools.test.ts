import type { AgentTool } from '@earendil-works/pi-agent-core'
import { Type } from '@earendil-works/pi-ai'
import { tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, normalizeTools, type AgentTools } from '../agents/index.ts'
import type { Json, RunEvent } from '../events/index.ts'
import { callingWith } from './calling.fixture.ts'
import { request, harnesses } from './harness.fixture.ts'

const piTool: AgentTool = {
  name: 'measure',
  label: 'Measure',
  description: 'Measures.',
  parameters: Type.Object({ n: Type.Number(), unit: Type.Optional(Type.String()) }),
  async execute(callId, input, signal, onUpdate) {
    const { n } = input as { n: number }
    if (n < 0) throw new Error('There is nothing to measure.')
    onUpdate?.({ content: [{ type: 'text', text: 'one' }], details: { at: 1 } })
    onUpdate?.({ content: [{ type: 'text', text: 'one two' }], details: { at: 2 } })
    return {
      content: [
        { type: 'text', text: `${callId.split('.')[1]}: ${n} m` },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      ],
      details: { metres: n, stopped: signal?.aborted },
    }
  },
}

describe('a tool of pi', () => {
  const harness = harnesses()
  /** What the log says of one call. */
  const callEvents = async (tools: AgentTools, name: string, input: Json = { n: 2 }) => {
    const here = await harness(callingWith(name, input), { tools: normalizeTools(tools) })
    const events = await here.ended((await here.runs.start(request)).run.id)
    return events.filter(({ type }) => type.startsWith('tool.'))
  }
  const outcome = async (...call: Parameters<typeof callEvents>): Promise<RunEvent | undefined> =>
    (await callEvents(...call)).at(-1)

  it('returns its details, and the model reads the text of its content', async () => {
    expect(await callEvents([piTool], 'measure')).toMatchObject([
      { type: 'tool.called' },
      { type: 'tool.executing' },
      { type: 'tool.progressed', delta: 'one', output: { at: 1 } },
      { type: 'tool.progressed', delta: ' two', output: { at: 2 } },
      {
        type: 'tool.returned',
        output: { metres: 2, stopped: false },
        text: expect.stringMatching(/^1: 2 m\n\[image, image\/png\]\n\[File: image\/png was not kept/),
      },
    ])
  })

  it('fails with the message that it throws', async () => {
    expect(await outcome([piTool], 'measure', { n: -1 })).toMatchObject({
      failure: { code: 'tool-failed', message: 'There is nothing to measure.' },
    })
  })

  it('is not called with an input that its parameters refuse', async () => {
    expect(await outcome([piTool], 'measure', { n: 2, unit: 3 })).toMatchObject({
      failure: {
        code: 'invalid-input',
        message:
          'The input of measure is not as it must be. ✖ Invalid input: expected string, received number\n  → at unit',
      },
    })
  })

  it('is idempotent if it says that a replay is safe', () => {
    const [unsafe, safe] = normalizeTools([piTool, { ...piTool, name: 'again', replay: 'safe' }])

    expect([unsafe?.idempotent, safe?.idempotent]).toEqual([false, true])
  })

  it('stands beside others in one object, by the name of its field', async () => {
    const inputSchema = z.object({ n: z.number() })
    const roll = defineTool({ name: 'roll', description: 'Rolls.', inputSchema, execute: () => 4 })
    const tools = { dice: roll, measure: piTool, double: tool({ inputSchema, execute: () => 4 }) }

    expect(normalizeTools(tools).map(({ name }) => name)).toEqual(['dice', 'measure', 'double'])
    expect(await outcome(tools, 'dice')).toMatchObject({ output: 4, text: '4' })
  })
})
