import { describe, expect, it } from 'vitest'

import type { Models } from '../models/index.ts'
import type { AgentEngine, ToolOutcome } from '../agents/index.ts'
import { describeFollowUp } from './engine-follow-up.contract.ts'
import { describeResume } from './engine-resume.contract.ts'
import { describeFailure } from './engine-failure.contract.ts'
import { describeHost } from './engine-host.contract.ts'
import { describeRequests } from './engine-requests.contract.ts'
import { call, finish, runInHarness, say, usage, type Run, type Step } from './engine-harness.fixture.ts'

const done: Step = [...say('ok'), finish()]

/** The promises of an engine, whatever drives the model. `create` joins it to models. */
export function describeEngine(name: string, create: (models: Models) => AgentEngine): void {
  const run: Run = (steps, more = {}) => runInHarness(create, steps, more)

  describe(`${name} as an engine`, () => {
    it('emits text, reasoning and their step in order', async () => {
      const result = await run([
        [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
          { type: 'reasoning-end', id: 'r', providerMetadata: { test: { signature: 'abc' } } },
          ...say('Hel', 'lo'),
          finish(),
        ],
      ])

      expect(result.types()).toEqual([
        'step.started',
        'reasoning.started',
        'reasoning.delta',
        'reasoning.ended',
        'text.started',
        'text.delta',
        'text.delta',
        'text.ended',
        'step.finished',
      ])
      expect(result.events[0]).toEqual({ type: 'step.started', model: 'test:scripted' })
      expect(result.events[3]).toMatchObject({
        provider: { name: 'test', metadata: { test: { signature: 'abc' } } },
      })
      expect(result.events.at(-1)).toEqual({
        type: 'step.finished',
        reason: 'stop',
        usage: { inputTokens: 7, outputTokens: 3 },
      })
    })

    it('names the model of a chain that answers each step, and the provider of its metadata', async () => {
      const signed = [
        { type: 'text-start', id: 't' },
        { type: 'text-end', id: 't', providerMetadata: { other: { itemId: 'of-another' } } },
      ] as const
      const result = await run([[...signed, ...call('c1', 'look', '{}'), finish('tool-calls')], done], {
        models: [{ name: 'other:stand-in', provider: 'other' }],
      })

      expect(result.events.filter(({ type }) => type === 'step.started')).toEqual([
        { type: 'step.started', model: 'other:stand-in' },
        { type: 'step.started', model: 'test:scripted' },
      ])
      expect(result.events.find(({ type }) => type === 'text.ended')).toMatchObject({
        provider: { name: 'other' },
      })
      expect(result.events.find(({ type }) => type === 'tool.called')).toMatchObject({
        provider: { name: 'other' },
      })
    })

    it('emits a call from its first input token, has the host run it, and sends the outcome to the model', async () => {
      const result = await run([[...call('c1', 'look', '{"at":1}'), finish('tool-calls')], done])

      expect(result.types().join(' ')).toBe(
        'step.started tool.started tool.delta tool.called step.finished ' +
          'step.started text.started text.delta text.ended step.finished',
      )
      expect(result.calls).toEqual([
        { callId: result.callIds()[0], tool: 'look', input: { value: { at: 1 } } },
      ])
      expect(result.prompts[1]).toContain('outcome of look')
    })

    it('runs parallel calls at once, and calls the model again after their outcomes', async () => {
      const first = Promise.withResolvers<ToolOutcome>()
      const result = await run(
        [[...call('c1', 'slow', '{}'), ...call('c2', 'look', '{}'), finish('tool-calls')], done],
        {
          outcome: ({ tool }) => {
            if (tool === 'slow') return first.promise
            first.resolve({ ok: true, output: null, text: 'late' })
            return Promise.resolve({ ok: true, output: null, text: 'early' })
          },
        },
      )

      expect(result.calls.map(({ tool }) => tool)).toEqual(['slow', 'look'])
      expect(result.prompts[1]).toContain('late')
      expect(result.prompts[1]).toContain('early')
    })

    it('passes on a call of an unknown tool, and a call whose input is not JSON', async () => {
      const result = await run([
        [...call('c1', 'nonesuch', '{"a":1}'), ...call('c2', 'look', '{"a":'), finish('tool-calls')],
        done,
      ])

      expect(result.calls).toEqual([
        expect.objectContaining({ tool: 'nonesuch', input: { value: { a: 1 } } }),
        expect.objectContaining({ tool: 'look', input: { unreadable: '{"a":' } }),
      ])
      expect(result.prompts[1]).toContain('outcome of nonesuch')
    })

    it('sends the failure of a tool to the model, and continues', async () => {
      const result = await run(
        [
          [...call('c1', 'look', '{}'), finish('tool-calls')],
          [...say('Sorry.'), finish()],
        ],
        {
          outcome: async () => ({ ok: false, output: null, text: 'It is broken.' }),
        },
      )

      expect(result.prompts[1]).toContain('It is broken.')
      expect(result.types().at(-1)).toBe('step.finished')
    })

    it('distinguishes calls with the same provider id, in one step and in two', async () => {
      const result = await run([
        [...call('same', 'look', '{"n":1}'), ...call('same', 'look', '{"n":2}'), finish('tool-calls')],
        [...call('same', 'look', '{"n":3}'), finish('tool-calls')],
        done,
      ])

      expect(new Set(result.callIds()).size).toBe(3)
      expect(result.calls.map(({ input }) => input)).toEqual([1, 2, 3].map((n) => ({ value: { n } })))
      expect(result.callIds()).toEqual(result.calls.map(({ callId }) => callId))
    })

    it('accepts a call whose input was not streamed', async () => {
      const result = await run([
        [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{}' }, finish('tool-calls')],
        done,
      ])

      expect(result.types().slice(0, 3)).toEqual(['step.started', 'tool.called', 'step.finished'])
      expect(result.calls).toHaveLength(1)
    })

    it('stops at the step limit, and reports it', async () => {
      const again: Step = [...call('c', 'look', '{}'), finish('tool-calls')]
      const result = await run([again, again, again], { stepsLeft: 2 })

      expect(result.prompts).toHaveLength(2)
      expect(result.events.at(-1)).toMatchObject({ type: 'step.finished', reason: 'step-limit' })
    })

    it('estimates usage that a provider does not report', async () => {
      const silent = { ...usage, inputTokens: { ...usage.inputTokens, total: undefined } }
      const result = await run([
        [
          ...say('four letters and more'),
          { ...finish(), usage: { ...silent, outputTokens: { ...usage.outputTokens, total: undefined } } },
        ],
      ])

      expect(result.events.at(-1)).toMatchObject({ usage: { estimated: true, outputTokens: 6 } })
    })

    it.each([
      { input: -500_000, output: -1e9, counted: [0, 0] },
      { input: 1.5, output: 1e300, counted: [2, 10_000_000] },
      { input: 1e19, output: NaN, counted: [10_000_000, 0] },
      { input: '7', output: 3, counted: [0, 3] },
    ])('counts $input and $output tokens of a provider as $counted', async ({ input, output, counted }) => {
      const wrong = { total: input, noCache: input, cacheRead: -1, cacheWrite: undefined }
      const part = {
        ...finish(),
        usage: { inputTokens: wrong, outputTokens: { total: output, reasoning: -2.5 } },
      }
      const result = await run([[...say('Hi.'), part as Exclude<Step, Error>[number]]])

      expect(result.events.at(-1)).toMatchObject({ type: 'step.finished' })
      expect(result.events.at(-1)).toHaveProperty('usage', {
        inputTokens: counted[0],
        outputTokens: counted[1],
      })
    })

    describeRequests(run)
    describeHost(run)
    describeFailure(run)
    describeResume(run)
    describeFollowUp(run)
  })
}
