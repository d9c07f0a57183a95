import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type Tool } from '../agents/index.ts'
import type { StandardSchema } from '../agents/input-schema.ts'
import type { Json, RunEvent } from '../events/index.ts'
import { calling, callingWith } from './calling.fixture.ts'
import { request, harnesses } from './harness.fixture.ts'

const never = (): Promise<never> => new Promise(() => undefined)

describe('the check of a call', () => {
  const harness = harnesses()
  const tool = (more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool =>
    defineTool({
      name: 'act',
      description: 'Acts.',
      inputSchema: z.object({ n: z.number() }),
      execute: () => 'done',
      ...more,
    })
  const schemaThat = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
    '~standard': { version: 1, vendor: 'test', validate, jsonSchema: { input: () => ({ type: 'object' }) } },
  })
  const failureOf = async (act: Tool) => {
    const here = await harness(calling('act'), { tools: [act] })
    const events = await here.ended((await here.runs.start(request)).run.id)
    expect(events.map(({ type }) => type)).not.toContain('tool.executing')
    return { failed: events.find(({ type }) => type === 'tool.failed'), reports: here.reports }
  }

  it('awaits the schema, whose value the tool gets', async () => {
    const inputs: unknown[] = []
    const inputSchema = schemaThat(async () => ({ value: { n: 'from the schema' } }))
    const act = tool({ inputSchema, execute: (input) => void inputs.push(input) })
    const here = await harness(calling('act'), { tools: [act] })

    await here.ended((await here.runs.start(request)).run.id)

    expect(inputs).toEqual([{ n: 'from the schema' }])
  })

  const lenient = z.object({
    query: z.string().min(1),
    limit: z.int().min(1).optional(),
    all: z.boolean().optional(),
    range: z.object({ from: z.number().optional() }).optional(),
    code: z.string().optional(),
  })
  it.each<[Json, unknown]>([
    [
      { query: 'x', limit: '5', all: 'true' },
      { query: 'x', limit: 5, all: true },
    ],
    [{ query: 'x', limit: '', all: null }, { query: 'x' }],
    [{ query: 'x', limit: '0' }, { query: 'x' }],
    [
      { query: 'x', limit: 0, range: { from: '1.5' } },
      { query: 'x', range: { from: 1.5 } },
    ],
    [
      { query: '5', code: '' },
      { query: '5', code: '' },
    ],
  ])('amends what models often write: %j', async (mistaken, value) => {
    const inputs: unknown[] = []
    const act = tool({ inputSchema: lenient, execute: (input) => void inputs.push(input) })
    const here = await harness(callingWith('act', mistaken), { tools: [act] })

    await here.ended((await here.runs.start(request)).run.id)

    expect(inputs).toEqual([value])
  })

  it.each<Json>([{ query: '' }, { query: 'x', limit: 'five' }, { query: 'x', limit: '-3' }, { query: 7 }])(
    'amends nothing that is wrong otherwise, and names what the model wrote: %j',
    async (mistaken) => {
      const act = tool({ inputSchema: lenient })
      const here = await harness(callingWith('act', mistaken), { tools: [act] })
      const events = await here.ended((await here.runs.start(request)).run.id)

      expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
        failure: {
          code: 'invalid-input',
          message: expect.stringMatching(/^The input of act .*→ at (query|limit)$/s),
        },
      })
    },
  )

  it('lists each issue of the schema', async () => {
    const issues = [{ message: 'n is odd', path: ['n'] }, { message: 'it is late' }]

    const { failed } = await failureOf(tool({ inputSchema: schemaThat(() => ({ issues })) }))

    expect(failed).toMatchObject({
      failure: {
        code: 'invalid-input',
        message: 'The input of act is not as it must be. ✖ it is late\n✖ n is odd\n  → at n',
      },
    })
  })

  it.each([
    [
      'of many issues',
      Array.from({ length: 250_000 }, (_, n) => ({ message: 'is no number', path: ['n', n] })),
    ],
    ['of one long issue', [{ message: 'x'.repeat(1_000_000) }]],
    ['of a long path', [{ message: 'is wrong', path: Array(10_000).fill('deep') }]],
  ])('cuts the message %s', async (_, issues) => {
    const { failed } = await failureOf(tool({ inputSchema: schemaThat(() => ({ issues })) }))

    const { message } = (failed as Extract<RunEvent, { type: 'tool.failed' }>).failure
    expect(message.length).toBeLessThanOrEqual(2000)
    expect(message).toMatch(/^The input of act is not as it must be\. ✖ (is|x)/)
  })

  it('gives needsApproval the user and the thread', async () => {
    const calls: unknown[] = []
    const needsApproval = async (_input: unknown, call: unknown): Promise<boolean> => {
      calls.push(call)
      return false
    }
    const here = await harness(calling('act'), { tools: [tool({ needsApproval })] })
    const { run } = await here.runs.start({ ...request, context: { city: 'Oslo' } })

    expect(await here.types(run.id)).toContain('tool.returned')
    expect(calls).toEqual([
      {
        callId: `${run.id}.1`,
        runId: run.id,
        userId: 'ada',
        threadId: run.threadId,
        context: { city: 'Oslo' },
      },
    ])
  })

  it.each([
    ['validate', { inputSchema: schemaThat(() => Promise.reject(new Error('No rates.'))) }],
    ['needsApproval', { needsApproval: () => Promise.reject(new Error('No rates.')) }],
  ])('fails and reports the call if %s rejects', async (_which, more) => {
    const { failed, reports } = await failureOf(tool(more))

    expect(failed).toMatchObject({ failure: { code: 'tool-failed', message: 'No rates.' } })
    expect(reports).toHaveLength(1)
  })

  it.each([
    ['validate', { inputSchema: schemaThat(never) }],
    ['needsApproval', { needsApproval: never }],
  ])('fails after the tool’s timeout if %s is slow', async (_which, more) => {
    const { failed } = await failureOf(tool({ ...more, timeoutMs: 5 }))

    expect(failed).toMatchObject({ failure: { code: 'timed-out' } })
  })

  it('does not delay a stop', async () => {
    const asking = Promise.withResolvers<void>()
    const needsApproval = (): Promise<never> => {
      asking.resolve()
      return never()
    }
    const here = await harness(calling('act'), { tools: [tool({ needsApproval })] })
    const { run } = await here.runs.start(request)
    await asking.promise

    await here.runs.stop(run, 'ada')

    expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
    expect(here.reports).toEqual([])
  })
})
