import { describe, expect, it } from 'vitest'

import { z } from 'zod'

import { defineTool, toolResult, type Tool, type AgentEngine, type CallInput } from '../agents/index.ts'
import { request, harnesses, step, type RunsHarness } from './harness.fixture.ts'

const never = (): Promise<never> => new Promise(() => undefined)

describe('the tool executor', () => {
  const harness = harnesses()

  describe('runs tools', () => {
    const tool = (execute: Tool['execute'], more: Partial<Tool> = {}): Tool => ({
      ...defineTool({ name: 'act', description: 'Acts.', inputSchema: z.object({ n: z.number() }), execute }),
      ...more,
    })
    /** Calls `act` once, early: before its `tool.called` is told. */
    const calling =
      (input: CallInput, name = 'act', outcomes: unknown[] = []): AgentEngine['run'] =>
      async (_job, host) => {
        await host.emit(step.started)
        const value = 'value' in input ? input.value : input.unreadable
        const outcome = host.call({ callId: 'c', tool: name, input })
        await host.emit({ type: 'tool.started', callId: 'c', tool: name })
        await host.emit({ type: 'tool.called', callId: 'c', tool: name, input: value })
        outcomes.push(await outcome)
        await host.emit(step.finished)
      }
    const toolTypes = (types: readonly string[]): string[] => types.filter((type) => type.startsWith('tool.'))

    it('with tool.executing in the log before they begin, and the outcome before the model reads it', async () => {
      const attempts: number[] = []
      const outcomes: unknown[] = []
      const made: RunsHarness = await harness(calling({ value: { n: 1 } }, 'act', outcomes), {
        tools: [
          tool(async (_input, { runId }) => {
            const entries = await made.store.read(runId, 0)
            attempts.push(entries.filter(({ event }) => event.type === 'tool.executing').length)
            return toolResult({ output: { done: true }, text: 'Done.' })
          }),
        ],
      })

      const types = await made.types((await made.runs.start(request)).run.id)

      expect(attempts).toEqual([1])
      expect(toolTypes(types)).toEqual([
        'tool.started',
        'tool.delta',
        'tool.called',
        'tool.executing',
        'tool.returned',
      ])
      expect(outcomes).toEqual([{ ok: true, output: { done: true }, text: 'Done.' }])
    })

    it.each([
      ['an unknown tool', { value: { n: 1 } }, 'nonesuch', 'unknown-tool'],
      ['input that is no JSON', { unreadable: '{"n":' }, 'act', 'invalid-input'],
      ['input of a wrong shape', { value: { n: 'one' } }, 'act', 'invalid-input'],
    ])('never for %s, and gives the reason', async (_name, input, name, code) => {
      const made = await harness(calling(input, name), {
        tools: [tool(() => Promise.reject(new Error('it ran')))],
      })

      const events = await made.ended((await made.runs.start(request)).run.id)

      expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({ failure: { code } })
      expect(events.map(({ type }) => type)).not.toContain('tool.executing')
      expect(events.at(-1)?.type).toBe('run.finished')
    })

    it('whose error is an outcome, without paths', async () => {
      const made = await harness(calling({ value: { n: 1 } }), {
        tools: [tool(() => Promise.reject(new Error('The dice fell off /etc/secret')))],
      })

      const events = await made.ended((await made.runs.start(request)).run.id)

      expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
        failure: { code: 'tool-failed', message: 'The dice fell off [path]' },
      })
      expect(JSON.stringify(events)).not.toContain('/etc/secret')
      expect(made.reports).toHaveLength(1)
    })

    it('for no longer than their timeout', async () => {
      const obedient = tool(
        (_input, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          ),
        { timeoutMs: 5 },
      )
      const made = await harness(calling({ value: { n: 1 } }), { tools: [obedient] })

      const events = await made.ended((await made.runs.start(request)).run.id)

      expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
        failure: { code: 'timed-out' },
      })
      expect(events.at(-1)?.type).toBe('run.finished')
    })

    it.each([
      ['may have written', false, 'outcome-unknown'],
      ['only reads', true, 'aborted'],
    ])('and abandons one that ignores a stop and %s', async (_name, idempotent, code) => {
      const started = Promise.withResolvers<void>()
      const deaf = tool(
        () => {
          started.resolve()
          return never()
        },
        { idempotent },
      )
      const made = await harness(calling({ value: { n: 1 } }), { tools: [deaf] })
      const { run } = await made.runs.start(request)
      await started.promise

      await made.runs.stop(run, 'ada')

      const events = await made.ended(run.id)
      expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({ failure: { code } })
      expect(events.at(-1)?.type).toBe('run.cancelled')
    })

    it('whose progress is joined to ten entries a second', async () => {
      const made = await harness(calling({ value: { n: 1 } }), {
        tools: [
          tool(async (_input, { progress }) => {
            for (let n = 0; n <= 1000; n++) progress({ delta: `${n},`, output: { n } })
            return toolResult({ output: null, text: 'Done.' })
          }),
        ],
      })

      const progressed = (await made.ended((await made.runs.start(request)).run.id)).filter(
        (event) => event.type === 'tool.progressed',
      )

      expect(progressed.length).toBeLessThanOrEqual(3)
      expect(progressed.at(-1)).toMatchObject({ output: { n: 1000 } })
      expect(progressed.every((event) => JSON.stringify(event).length <= 4096)).toBe(true)
    })

    it('whose input has a field named unreadable', async () => {
      const input = z.object({ unreadable: z.string() })
      const made = await harness(calling({ value: { unreadable: 'x' } }), {
        tools: [
          tool(async (options) => toolResult({ output: options, text: '' }), {
            inputSchema: input,
          }),
        ],
      })

      const events = await made.ended((await made.runs.start(request)).run.id)

      expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({
        output: { unreadable: 'x' },
      })
    })

    it('once if an engine asks twice for one call', async () => {
      let runs = 0
      const made = await harness(
        async (_job, host) => {
          await host.emit({ type: 'tool.called', callId: 'c', tool: 'act', input: { n: 1 } })
          const call = { callId: 'c', tool: 'act', input: { value: { n: 1 } } }
          expect(await host.call(call)).toEqual(await host.call(call))
        },
        { tools: [tool(async () => toolResult({ output: ++runs, text: 'Done.' }))] },
      )

      const types = await made.types((await made.runs.start(request)).run.id)

      expect(runs).toBe(1)
      expect(toolTypes(types)).toEqual(['tool.called', 'tool.executing', 'tool.returned'])
    })

    it('whose schema throws as failed, and continues the run', async () => {
      const input = z.object({ n: z.number() }).transform(() => {
        throw new Error('in the schema')
      })
      const made = await harness(calling({ value: { n: 1 } }), {
        tools: [tool(never, { inputSchema: input })],
      })

      const events = await made.ended((await made.runs.start(request)).run.id)

      expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
        failure: { code: 'tool-failed' },
      })
      expect(events.at(-1)?.type).toBe('run.finished')
      expect(made.reports).toHaveLength(1)
    })

    it('that return what JSON cannot hold as failed, with no progress after that', async () => {
      const circular: { self?: unknown } = {}
      circular.self = circular
      const made = await harness(calling({ value: { n: 1 } }), {
        tools: [
          tool(async (_input, { progress }) => {
            for (const delta of ['one', 'two']) progress({ delta })
            return toolResult({ output: circular, text: '' })
          }),
        ],
      })

      const types = toolTypes(await made.types((await made.runs.start(request)).run.id))

      expect(types.at(-1)).toBe('tool.failed')
      expect(types.filter((type) => type === 'tool.progressed')).toHaveLength(2)
    })

    it('and ignores an abandoned tool', async () => {
      const late = Promise.withResolvers<(news: { delta: string }) => void>()
      const deaf = tool(
        (_input, { progress }) => {
          late.resolve(progress)
          return never()
        },
        { timeoutMs: 1 },
      )
      const made = await harness(calling({ value: { n: 1 } }), { tools: [deaf] })
      const { id } = (await made.runs.start(request)).run
      const progress = await late.promise
      await made.ended(id)

      progress({ delta: 'still here' })

      expect(toolTypes(await made.types(id)).at(-1)).toBe('tool.failed')
    })
  })
})
