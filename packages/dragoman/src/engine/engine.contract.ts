import { describe, expect, it } from 'vitest'

import type { Models } from '../models/index.ts'
import type { AgentEngine, ToolOutcome } from '../agents/index.ts'
import { describeClosing } from './engine-closing.contract.ts'
import { describeContinuing } from './engine-continuing.contract.ts'
import { describeEndings } from './engine-endings.contract.ts'
import { describeHost } from './engine-host.contract.ts'
import { describeRequests } from './engine-requests.contract.ts'
import { call, finish, rigFor, say, usage, type Run, type Step } from './engine.rig.fixture.ts'

const done: Step = [...say('ok'), finish()]

/** The promises of an engine, whatever drives the model. `create` joins it to models. */
export function describeEngine(name: string, create: (models: Models) => AgentEngine): void {
  const run: Run = (steps, more = {}) => rigFor(create, steps, more)

  describe(`${name} as an engine`, () => {
    it('tells text, reasoning and the step round them, in order', async () => {
      const rig = await run([
        [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
          { type: 'reasoning-end', id: 'r', providerMetadata: { test: { signature: 'abc' } } },
          ...say('Hel', 'lo'),
          finish(),
        ],
      ])

      expect(rig.types()).toEqual([
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
      expect(rig.events[0]).toEqual({ type: 'step.started', model: 'test:scripted' })
      expect(rig.events[3]).toMatchObject({
        provider: { name: 'test', metadata: { test: { signature: 'abc' } } },
      })
      expect(rig.events.at(-1)).toEqual({
        type: 'step.finished',
        reason: 'stop',
        usage: { inputTokens: 7, outputTokens: 3 },
      })
    })

    it('tells which model of a chain answers each step, and whose metadata came with it', async () => {
      const signed = [
        { type: 'text-start', id: 't' },
        { type: 'text-end', id: 't', providerMetadata: { other: { itemId: 'of-another' } } },
      ] as const
      const rig = await run([[...signed, ...call('c1', 'look', '{}'), finish('tool-calls')], done], {
        speakers: [{ name: 'other:stand-in', provider: 'other' }],
      })

      expect(rig.events.filter(({ type }) => type === 'step.started')).toEqual([
        { type: 'step.started', model: 'other:stand-in' },
        { type: 'step.started', model: 'test:scripted' },
      ])
      expect(rig.events.find(({ type }) => type === 'text.ended')).toMatchObject({
        provider: { name: 'other' },
      })
      expect(rig.events.find(({ type }) => type === 'tool.called')).toMatchObject({
        provider: { name: 'other' },
      })
    })

    it('tells a call from its first input token, has the host run it, and gives the outcome to the model', async () => {
      const rig = await run([[...call('c1', 'look', '{"at":1}'), finish('tool-calls')], done])

      expect(rig.types().join(' ')).toBe(
        'step.started tool.started tool.delta tool.called step.finished ' +
          'step.started text.started text.delta text.ended step.finished',
      )
      expect(rig.calls).toEqual([{ callId: rig.callIds()[0], tool: 'look', input: { value: { at: 1 } } }])
      expect(rig.prompts[1]).toContain('outcome of look')
    })

    it('has parallel calls run at once, and asks the model again after their outcomes', async () => {
      const first = Promise.withResolvers<ToolOutcome>()
      const rig = await run(
        [[...call('c1', 'slow', '{}'), ...call('c2', 'look', '{}'), finish('tool-calls')], done],
        {
          outcome: ({ tool }) => {
            if (tool === 'slow') return first.promise
            first.resolve({ ok: true, output: null, text: 'late' })
            return Promise.resolve({ ok: true, output: null, text: 'early' })
          },
        },
      )

      expect(rig.calls.map(({ tool }) => tool)).toEqual(['slow', 'look'])
      expect(rig.prompts[1]).toContain('late')
      expect(rig.prompts[1]).toContain('early')
    })

    it('passes on a call of an unknown tool, and one whose input is no JSON', async () => {
      const rig = await run([
        [...call('c1', 'nonesuch', '{"a":1}'), ...call('c2', 'look', '{"a":'), finish('tool-calls')],
        done,
      ])

      expect(rig.calls).toEqual([
        expect.objectContaining({ tool: 'nonesuch', input: { value: { a: 1 } } }),
        expect.objectContaining({ tool: 'look', input: { unreadable: '{"a":' } }),
      ])
      expect(rig.prompts[1]).toContain('outcome of nonesuch')
    })

    it('tells the model of a tool that failed, and goes on', async () => {
      const rig = await run(
        [
          [...call('c1', 'look', '{}'), finish('tool-calls')],
          [...say('Sorry.'), finish()],
        ],
        {
          outcome: async () => ({ ok: false, output: null, text: 'It is broken.' }),
        },
      )

      expect(rig.prompts[1]).toContain('It is broken.')
      expect(rig.types().at(-1)).toBe('step.finished')
    })

    it('keeps calls apart whose provider gave them one id, in one step and in two', async () => {
      const rig = await run([
        [...call('same', 'look', '{"n":1}'), ...call('same', 'look', '{"n":2}'), finish('tool-calls')],
        [...call('same', 'look', '{"n":3}'), finish('tool-calls')],
        done,
      ])

      expect(new Set(rig.callIds()).size).toBe(3)
      expect(rig.calls.map(({ input }) => input)).toEqual([1, 2, 3].map((n) => ({ value: { n } })))
      expect(rig.callIds()).toEqual(rig.calls.map(({ callId }) => callId))
    })

    it('accepts a call whose input was not streamed', async () => {
      const rig = await run([
        [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{}' }, finish('tool-calls')],
        done,
      ])

      expect(rig.types().slice(0, 3)).toEqual(['step.started', 'tool.called', 'step.finished'])
      expect(rig.calls).toHaveLength(1)
    })

    it('stops at its step limit, and says so', async () => {
      const again: Step = [...call('c', 'look', '{}'), finish('tool-calls')]
      const rig = await run([again, again, again], { stepsLeft: 2 })

      expect(rig.prompts).toHaveLength(2)
      expect(rig.events.at(-1)).toMatchObject({ type: 'step.finished', reason: 'step-limit' })
    })

    it('estimates the usage that a provider does not tell', async () => {
      const silent = { ...usage, inputTokens: { ...usage.inputTokens, total: undefined } }
      const rig = await run([
        [
          ...say('four letters and more'),
          { ...finish(), usage: { ...silent, outputTokens: { ...usage.outputTokens, total: undefined } } },
        ],
      ])

      expect(rig.events.at(-1)).toMatchObject({ usage: { estimated: true, outputTokens: 6 } })
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
      const rig = await run([[...say('Hi.'), part as Exclude<Step, Error>[number]]])

      expect(rig.events.at(-1)).toMatchObject({ type: 'step.finished' })
      expect(rig.events.at(-1)).toHaveProperty('usage', {
        inputTokens: counted[0],
        outputTokens: counted[1],
      })
    })

    describeRequests(run)
    describeHost(run)
    describeEndings(run)
    describeContinuing(run)
    describeClosing(run)
  })
}
