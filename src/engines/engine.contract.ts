import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import type { Message } from '../events/index.ts'
import type { Models } from '../models/index.ts'
import type { AgentEngine, ToolOutcome } from './engine.ts'
import { rigFor, type Step } from './engine.rig.fixture.ts'

const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
}
type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>
type FinishReason = Finish['finishReason']['unified']
const finish = (unified: FinishReason = 'stop'): Finish => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: undefined },
})
const say = (...deltas: string[]): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
  { type: 'text-end', id: 't' },
]
const call = (toolCallId: string, toolName: string, input: string): LanguageModelV4StreamPart[] => [
  { type: 'tool-input-start', id: toolCallId, toolName },
  { type: 'tool-input-delta', id: toolCallId, delta: input },
  { type: 'tool-input-end', id: toolCallId },
  { type: 'tool-call', toolCallId, toolName, input },
]

const done: Step = [...say('ok'), finish()]

/** The promises of an engine, whatever drives the model. `create` joins it to models. */
export function describeEngine(name: string, create: (models: Models) => AgentEngine): void {
  const run = (steps: readonly Step[], more: Parameters<typeof rigFor>[2] = {}) => rigFor(create, steps, more)

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

    it('tells a call from its first input token, has the host run it, and gives the outcome to the model', async () => {
      const rig = await run([[...call('c1', 'look', '{"at":1}'), finish('tool-calls')], done])

      expect(rig.types().join(' ')).toBe(
        'step.started tool.started tool.delta tool.called step.finished ' +
          'step.started text.started text.delta text.ended step.finished',
      )
      expect(rig.calls).toEqual([{ callId: rig.callIds()[0], tool: 'look', input: { at: 1 } }])
      expect(rig.prompts[1]).toContain('outcome of look')
    })

    it('has parallel calls run at once, and finishes the step after their outcomes', async () => {
      const first = Promise.withResolvers<ToolOutcome>()
      const rig = await run(
        [[...call('c1', 'slow', '{}'), ...call('c2', 'look', '{}'), finish('tool-calls')], done],
        {
          outcome: ({ tool }, { events }) => {
            if (tool === 'slow') return first.promise
            expect(events.map(({ type }) => type)).not.toContain('step.finished')
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
        expect.objectContaining({ tool: 'nonesuch', input: { a: 1 } }),
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
      expect(rig.calls.map(({ input }) => input)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
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
      ['before the first token', []],
      ['in the middle', say('Hel')],
    ])('throws a model error %s as one of ours, without its words', async (_place, before) => {
      const rig = await run([[...before, { type: 'error', error: new Error('key sk-secret') }]])

      expect(rig.error).toMatchObject({ code: 'model-failed' })
      expect(String(rig.error)).not.toContain('sk-secret')
      expect(rig.types()).not.toContain('step.finished')
    })

    it('throws where the model cannot be reached', async () => {
      const rig = await run([new Error('no route')])

      expect(rig.error).toMatchObject({ code: 'model-failed' })
    })

    it('finishes a step that ended without a word of its end as other, with estimated usage', async () => {
      const rig = await run([say('Hel')])
      expect(rig.events.at(-1)).toMatchObject({ reason: 'other', usage: { estimated: true } })
    })

    it.each([
      [
        'text',
        [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'a' },
        ],
      ],
      ['the input of a call', [{ type: 'tool-input-start', id: 'c', toolName: 'look' }]],
    ] as const)('returns when it is aborted in %s, and aborts the model request', async (_place, parts) => {
      const rig = await run([[...parts, 'hang']], { abortAfter: parts.length + 1 })

      expect(rig.error).toBeUndefined()
      expect(rig.requestAborted).toBe(true)
    })

    it('returns when it is aborted in a tool', async () => {
      const rig = await run([[...call('c1', 'look', '{}'), finish('tool-calls')]], {
        outcome: (_call, { abort }) => {
          abort()
          return Promise.resolve({ ok: false, output: null, text: 'The run was stopped.' })
        },
      })

      expect(rig.error).toBeUndefined()
      expect(rig.prompts).toHaveLength(1)
    })

    it('gives the model the conversation: roles, calls with their outcomes, nothing dangling', async () => {
      const history: Message[] = [
        { role: 'user', id: 'u1', parts: [{ type: 'text', text: 'first' }] },
        {
          role: 'assistant',
          id: 'a1',
          status: 'cancelled',
          parts: [
            { type: 'step', model: 'x' },
            { type: 'reasoning', partId: 'p0', text: 'unsigned thought', open: false },
            { type: 'text', partId: 'p1', text: 'answer', open: false },
            { type: 'tool', callId: 'run_1.1', tool: 'look', state: 'executing', inputText: '{}', input: {} },
            { type: 'tool', callId: 'run_1.2', tool: 'look', state: 'input', inputText: '{"cut' },
          ],
        },
        { role: 'user', id: 'u2', parts: [{ type: 'text', text: 'second' }] },
      ]
      const rig = await run([done], { history })

      expect(rig.roles[0]).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
      expect(rig.prompts[0]).not.toContain('unsigned thought')
      expect(rig.prompts[0]).not.toContain('cut')
      expect(rig.prompts[0]).toContain('had an outcome')
      expect(rig.prompts[0]).not.toContain('run_1.1')
    })
  })
}
