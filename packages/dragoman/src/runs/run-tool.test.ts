import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../agents/index.ts'
import { noModel } from '../agents/no-model.fixture.ts'
import { noState } from '../agents/no-state.fixture.ts'
import { ServiceError } from '../errors.ts'
import { runTool } from './run-tool.ts'

describe('a tool that is stopped', () => {
  const call = {
    callId: 'run_1.1',
    runId: 'run_1',
    idempotencyKey: 'run_1/run_1.1',
    userId: 'ada',
    threadId: 'conv_test',
    context: {},
    model: noModel,
    state: noState,
  }

  it.each([
    [new Error('broken off'), { code: 'aborted', message: 'act was stopped.' }],
    [new ServiceError('tool-failed', 'It failed.'), { code: 'aborted' }],
    [
      new ServiceError('outcome-unknown', 'It was sent away.'),
      { code: 'outcome-unknown', message: 'It was sent away.' },
    ],
  ])('and says %s', async (error, failure) => {
    const stopping = new AbortController()
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      inputSchema: z.object({}),
      async execute() {
        stopping.abort()
        throw error
      },
    })

    const outcome = await runTool(
      tool,
      {},
      {
        signal: stopping.signal,
        report: () => undefined,
        onProgress: () => undefined,
        onData: () => undefined,
        ask: async () => null,
        call,
      },
    )

    expect(outcome).toMatchObject({ failure })
  })

  it('may throw in what listens to its signal, which is reported', async () => {
    const stopping = new AbortController()
    const reports: unknown[] = []
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      inputSchema: z.object({}),
      execute: (_input, { signal }) => {
        signal.addEventListener('abort', () => {
          throw new Error('in the listener')
        })
        stopping.abort()
        return new Promise<string>(() => undefined)
      },
    })
    const outcome = await runTool(
      tool,
      {},
      {
        signal: stopping.signal,
        report: (error) => reports.push(error),
        onProgress: () => undefined,
        onData: () => undefined,
        ask: async () => null,
        call,
      },
    )

    expect(outcome).toMatchObject({ failure: { code: 'outcome-unknown' } })
    expect(reports).toEqual([new Error('in the listener')])
  })
})
