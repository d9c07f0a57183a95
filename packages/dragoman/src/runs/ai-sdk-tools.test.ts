import { fileURLToPath } from 'node:url'

import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { tool as toolOf7 } from 'ai'
import { tool as toolOf5 } from 'ai-5-0-277'
import { tool as toolOf6 } from 'ai-6-0-326'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'

import { normalizeTools, type AgentTools } from '../agents/index.ts'
import type { Answer, Json, RunEvent } from '../events/index.ts'
import { calling, callingWith } from './calling.fixture.ts'
import { request, harnesses } from './harness.fixture.ts'

const inputSchema = z.object({ n: z.number() })
const inFive = {
  description: 'Doubles.',
  inputSchema,
  toModelOutput: (output: { twice: number }) => ({ type: 'text', value: `twice: ${output.twice}` }) as const,
}
const inSeven = {
  ...inFive,
  toModelOutput: ({ output }: { output: { twice: number } }) => inFive.toModelOutput(output),
}
const double = ({ n }: { n: number }) => ({ twice: n * 2 })
const fail = (): { twice: number } => {
  throw new Error('The scale is broken.')
}
/** Preliminary outputs, then the output. */
async function* count() {
  yield { twice: 1 }
  yield { twice: 2 }
}

/** The same tools, made by each version of the AI SDK. */
const sdks: readonly (readonly [string, AgentTools])[] = [
  [
    '5',
    {
      double: toolOf5({ ...inFive, execute: double }),
      count: toolOf5({ ...inFive, execute: count }),
      fail: toolOf5({ ...inFive, execute: fail }),
      plain: toolOf5({ inputSchema: z3.object({ n: z3.number() }), execute: double }),
    },
  ],
  [
    '6',
    {
      double: toolOf6({ ...inSeven, execute: double }),
      count: toolOf6({ ...inSeven, execute: count }),
      fail: toolOf6({ ...inSeven, execute: fail }),
      plain: toolOf6({ inputSchema: z3.object({ n: z3.number() }), execute: double }),
      pay: toolOf6({ ...inSeven, execute: double, needsApproval: async ({ n }) => n === 0 }),
    },
  ],
  [
    '7',
    {
      double: toolOf7({ ...inSeven, execute: double }),
      count: toolOf7({ ...inSeven, execute: count }),
      fail: toolOf7({ ...inSeven, execute: fail }),
      plain: toolOf7({ inputSchema: z3.object({ n: z3.number() }), execute: double }),
      pay: toolOf7({ ...inSeven, execute: double, needsApproval: async ({ n }) => n === 0 }),
    },
  ],
]

describe('a tool', () => {
  const harness = harnesses()
  const yes: Answer = { kind: 'approval', approved: true }
  /** What the log says of one call. */
  const callEvents = async (tools: AgentTools, name: string, input: Json = { n: 2 }) => {
    const here = await harness(callingWith(name, input), { tools: normalizeTools(tools) })
    const events = await here.ended((await here.runs.start(request)).run.id)
    return events.filter(({ type }) => type.startsWith('tool.'))
  }
  const outcome = async (...call: Parameters<typeof callEvents>): Promise<RunEvent | undefined> =>
    (await callEvents(...call)).at(-1)

  describe.each(sdks)('of AI SDK %s', (_version, tools) => {
    it('returns its output, and the text that its toModelOutput makes of it', async () => {
      expect(await outcome(tools, 'double')).toMatchObject({
        type: 'tool.returned',
        output: { twice: 4 },
        text: 'twice: 4',
      })
    })

    it('reads as JSON without a toModelOutput, and may have a schema of Zod 3', async () => {
      expect(await outcome(tools, 'plain')).toMatchObject({ output: { twice: 4 }, text: '{"twice":4}' })
    })

    it('yields preliminary outputs as progress', async () => {
      expect(await callEvents(tools, 'count')).toMatchObject([
        { type: 'tool.called' },
        { type: 'tool.executing' },
        { type: 'tool.progressed', output: { twice: 1 } },
        { type: 'tool.progressed', output: { twice: 2 } },
        { type: 'tool.returned', output: { twice: 2 }, text: 'twice: 2' },
      ])
    })

    it('fails with the message that it throws', async () => {
      expect(await outcome(tools, 'fail')).toMatchObject({
        type: 'tool.failed',
        failure: { code: 'tool-failed', message: 'The scale is broken.' },
      })
    })

    it.each(['double', 'plain'])(
      'is not called with an input that the schema of %s refuses',
      async (name) => {
        expect(await outcome(tools, name, { n: 'two' })).toMatchObject({ failure: { code: 'invalid-input' } })
      },
    )
  })

  it.each(sdks.slice(1))(
    'of AI SDK %s waits for an approval if its needsApproval asks for one',
    async (_version, tools) => {
      const here = await harness(calling('pay', 'pay'), { tools: normalizeTools(tools) })
      const { run } = await here.runs.start(request)
      await here.said(run.id, 'run.waiting')

      await here.runs.answer(run, { callId: `${run.id}.1`, answer: yes }, 'ada')

      const events = await here.ended(run.id)
      expect(events.filter(({ type }) => type === 'tool.asked')).toHaveLength(1)
      expect(events.filter(({ type }) => type === 'tool.returned')).toMatchObject([
        { callId: `${run.id}.2`, text: 'twice: 2' },
        { callId: `${run.id}.1`, text: 'twice: 0' },
      ])
    },
  )

  it('gets the options of the AI SDK and dragoman’s context', async () => {
    let options: unknown
    const look = toolOf7({
      inputSchema,
      execute: (_input, executeOptions) => {
        options = executeOptions
        return null
      },
    })

    await outcome({ look }, 'look')

    expect(options).toMatchObject({
      toolCallId: expect.stringMatching(/^run_.*\.1$/) as string,
      messages: [],
      abortSignal: expect.any(AbortSignal) as AbortSignal,
      userId: 'ada',
      idempotencyKey: expect.stringMatching(/^run_/) as string,
      context: {},
    })
  })

  describe('of an MCP client', () => {
    const server = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
    const withClient = async (use: (tools: AgentTools) => Promise<void>): Promise<void> => {
      const transport = new StdioTransport({
        command: process.execPath,
        args: [server, 'stdio'],
        stderr: 'ignore',
      })
      const client = await createMCPClient({ transport })
      try {
        await use(await client.tools())
      } finally {
        await client.close()
      }
    }

    it('returns the server’s result, whose text the model reads; its failure is a failure', async () => {
      await withClient(async (tools) => {
        expect(await outcome(tools, 'echo', { message: '你好' })).toMatchObject({
          type: 'tool.returned',
          output: { content: [{ type: 'text', text: 'Echo: 你好' }] },
          text: 'Echo: 你好',
        })
        expect(await outcome(tools, 'get-sum', { a: 'one' })).toMatchObject({
          type: 'tool.failed',
          failure: { code: 'tool-failed', message: expect.stringContaining('expected number') as string },
        })
        expect(normalizeTools(tools).find(({ name }) => name === 'echo')).toMatchObject({ idempotent: true })
      })
    })
  })
})
