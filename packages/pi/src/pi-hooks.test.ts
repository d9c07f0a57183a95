import type { AgentMessage, BeforeToolCallContext } from '@earendil-works/pi-agent-core'
import { describe, expect, it } from 'vitest'

import {
  call,
  finish,
  runInHarness,
  say,
  type HarnessOptions,
  type Step,
} from '../../dragoman/src/engine/engine-harness.fixture.ts'
import type { ToolOutcome } from 'dragoman/agents'
import { piEngine, type PiHooks } from './index.ts'

const run = (hooks: PiHooks, steps: readonly Step[], more: HarnessOptions = {}) =>
  runInHarness(piEngine(hooks).create, steps, more)
const calls: Step = [...call('c1', 'look', '{"at":1}'), finish('tool-calls')]
const done: Step = [...say('Done.'), finish()]
const rolesOf = (messages: readonly AgentMessage[]) => messages.map(({ role }) => role)
const looking = { name: 'look', description: 'Looks.' }
const schema = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] }

describe('pi’s hooks on calls', () => {
  it('fails a call that `beforeToolCall` blocks, and runs the others', async () => {
    const contexts: BeforeToolCallContext[] = []
    const roles: string[][] = []
    const ran: string[] = []
    const rig = await run(
      {
        beforeToolCall: async (context) => {
          contexts.push(context)
          roles.push(rolesOf(context.context.messages))
          return context.toolCall.name === 'look' ? { block: true, reason: 'Do not look.' } : undefined
        },
      },
      [
        [
          ...say('I look.'),
          ...call('c1', 'look', '{"at":1}'),
          ...call('c2', 'slow', '{}'),
          finish('tool-calls'),
        ],
        done,
      ],
      {
        outcome: async ({ tool }) => {
          ran.push(tool)
          return { ok: true, output: null, text: `outcome of ${tool}` }
        },
      },
    )

    expect(ran).toEqual(['slow'])
    expect(rig.requests[1]?.prompt.at(-1)?.content).toMatchObject([
      { output: { type: 'error-text', value: 'Do not look.' } },
      { output: { type: 'text', value: 'outcome of slow' } },
    ])
    expect(contexts[0]).toMatchObject({
      args: { at: 1 },
      assistantMessage: {
        content: [{ type: 'text', text: 'I look.' }, { type: 'toolCall' }, { type: 'toolCall' }],
      },
    })
    expect(roles[0]).toEqual(['system', 'user', 'assistant'])
  })

  it('fails a call whose arguments it does not accept', async () => {
    const ran: string[] = []
    const rig = await run({}, [[...call('c1', 'look', '{"at":"there"}'), finish('tool-calls')], done], {
      tools: [{ ...looking, inputSchema: schema }],
      outcome: async ({ tool }) => {
        ran.push(tool)
        return { ok: true, output: null, text: '' }
      },
    })

    expect(ran).toEqual([])
    expect(rig.prompts[1]).toContain('Validation failed for tool')
  })

  it('records the outcome that `afterToolCall` returns, and sends it to the model', async () => {
    const outcomes: ToolOutcome[] = []
    const rig = await run(
      {
        afterToolCall: async ({ result }) => ({
          content: [{ type: 'text', text: `${JSON.stringify(result.content)} checked` }],
          details: { checked: true },
        }),
      },
      [calls, done],
      { onOutcome: (outcome) => outcomes.push(outcome) },
    )

    const text = '[{"type":"text","text":"outcome of look"}] checked'
    expect(outcomes).toEqual([{ ok: true, output: { checked: true }, text }])
    expect(rig.requests[1]?.prompt.at(-1)?.content).toMatchObject([{ output: { value: text } }])
  })

  it.each([
    ['succeed', { ok: false, output: null, text: 'It is broken.' }, { isError: false }, true],
    ['fail', { ok: true, output: 1, text: 'It works.' }, { isError: true }, false],
  ])('makes a call %s if `afterToolCall` says so', async (_how, outcome, changed, ok) => {
    const outcomes: ToolOutcome[] = []
    await run({ afterToolCall: async () => changed }, [calls, done], {
      outcome: async () => outcome,
      onOutcome: (each) => outcomes.push(each),
    })

    expect(outcomes).toMatchObject([{ ok, text: outcome.text }])
  })

  it('keeps an outcome if `afterToolCall` changes nothing', async () => {
    const outcome = { ok: true, output: { a: [1] }, text: 'It works.' }
    const outcomes: ToolOutcome[] = []
    await run({ afterToolCall: async () => undefined }, [calls, done], {
      outcome: async () => outcome,
      onOutcome: (each) => outcomes.push(each),
    })

    expect(outcomes).toEqual([outcome])
    expect(outcomes[0]).toBe(outcome)
  })

  it('ends after calls that its hooks terminate', async () => {
    const rig = await run({ afterToolCall: async () => ({ terminate: true }) }, [calls, done])

    expect(rig.error).toBeUndefined()
    expect(rig.requests).toHaveLength(1)
    expect(rig.types().at(-1)).toBe('step.finished')
  })

  it('runs its hooks for resumed calls, which see only that call', async () => {
    const results: unknown[] = []
    const { hooks } = piEngine({
      beforeToolCall: async ({ toolCall, args }) => {
        results.push(toolCall.name, args)
        return { block: true }
      },
      afterToolCall: async ({ isError }) => ({ content: [{ type: 'text', text: `checked ${isError}` }] }),
    }).create({ choose: () => Promise.reject(new Error('No model.')) as never })
    const lookCall = { callId: 'run_1.1', tool: 'look', input: { value: { at: 1 } } }
    const { signal } = new AbortController()

    expect(await hooks?.before(lookCall, signal)).toBe('Tool execution was blocked')
    expect(await hooks?.after(lookCall, { ok: true, output: 1, text: 'seen' }, signal)).toEqual({
      ok: true,
      output: 1,
      text: 'checked false',
    })
    expect(results).toEqual(['look', { at: 1 }])
  })

  it('has no hooks for resumed calls without hooks on calls', () => {
    expect(
      piEngine().create({ choose: () => Promise.reject(new Error('No model.')) as never }).hooks,
    ).toBeUndefined()
  })

  it('refuses unknown hooks by name', () => {
    const tools = { tools: [] } as PiHooks

    expect(() => piEngine(tools)).toThrow(
      'piEngine: tools is not known. Use transformContext, convertToLlm, beforeToolCall, afterToolCall. ' +
        'Tools and the model belong to the agent.',
    )
  })
})
