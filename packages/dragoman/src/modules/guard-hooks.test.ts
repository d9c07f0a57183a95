import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { defineAgent } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { AgentModule } from './agent-module.ts'
import { guardHooks } from './guard-hooks.ts'

const agent = defineAgent({ id: 'dice', instructions: 'x', tools: [] }) as AgentModule['agent']
const message = { userId: 'ada', context: {}, message: [] }
const hang = (): Promise<never> => new Promise(() => undefined)
const fail = (): never => {
  throw new Error('secret')
}

/** What hooks return is typed, but not checked by their authors' compilers. */
function guard(hooks: object) {
  const reports: unknown[] = []
  const module = guardHooks({ agent, ...hooks }, (error, where) => reports.push([error, where]))
  return { module, reports }
}

describe('a guarded hook', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each<[string, object, (module: AgentModule) => unknown]>([
    ['inputGuardrail', { inputGuardrail: hang }, (module) => module.inputGuardrail?.(message)],
    ['context.resolve', { context: { resolve: hang } }, (module) => module.context?.resolve?.({}, 'ada', [])],
  ])('ends a request for which %s hangs', async (hook, hooks, call) => {
    const called = expect(call(guard(hooks).module)).rejects.toMatchObject({
      code: 'timed-out',
      message: `The agent dice does not answer: its ${hook} hangs.`,
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await called
  })

  it.each<[string, object, (module: AgentModule) => unknown]>([
    ['inputGuardrail', { inputGuardrail: fail }, (module) => module.inputGuardrail?.(message)],
    [
      'inputGuardrail',
      { inputGuardrail: () => ({ text: 10n }) },
      (module) => module.inputGuardrail?.(message),
    ],
    ['context.resolve', { context: { resolve: fail } }, (module) => module.context?.resolve?.({}, 'ada', [])],
    [
      'context.resolve',
      { context: { resolve: () => ({ n: 1n }) } },
      (module) => module.context?.resolve?.({}, 'a', []),
    ],
    [
      'context.format',
      { context: { format: () => 'a line' } },
      async (module) => module.context?.format?.({}),
    ],
    [
      'context.metadata',
      { context: { metadata: () => fail } },
      async (module) => module.context?.metadata?.({}),
    ],
  ])('fails with the name of the agent and of %s', async (hook, hooks, call) => {
    await expect(call(guard(hooks).module)).rejects.toMatchObject({
      code: 'internal',
      message: `The agent dice failed in its ${hook}.`,
    })
  })

  it('passes on what the agent refuses', async () => {
    const refusal = new ServiceError('invalid-request', 'context: no dice.')
    const { module } = guard({ context: { resolve: () => Promise.reject(refusal) } })

    await expect(module.context?.resolve?.({}, 'ada', [])).rejects.toBe(refusal)
  })

  it('refuses further requests while too many wait, and no longer once they have ended', async () => {
    const { module } = guard({ inputGuardrail: hang })
    const ask = async () => module.inputGuardrail?.(message).catch((error: ServiceError) => error.code)
    const waiting = Array.from({ length: 128 }, ask)

    expect(await ask()).toBe('overloaded')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['timed-out']))
    const next = ask()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await next).toBe('timed-out')
  })

  it.each<[string, object, object]>([
    ['nothing', { condition: () => undefined }, { available: true, notes: [] }],
    [
      'nonsense',
      { condition: () => ({ available: 'yes' }) },
      { available: false, notes: [expect.any(String)] },
    ],
    [
      'an error',
      { condition: fail },
      { available: false, notes: ['The agent dice failed in its condition.'] },
    ],
    [
      'notes that are too many and too long',
      { condition: () => ({ available: true, notes: Array(1000).fill('x'.repeat(5000)) }) },
      { available: true, notes: Array(50).fill('x'.repeat(1000)) },
    ],
    ['an error', { condition: hang }, { available: false, notes: [expect.stringContaining('hangs')] }],
  ])('takes a condition that gives %s', async (_what, hooks, answer) => {
    const { module, reports } = guard(hooks)
    const result = module.condition?.()
    await vi.advanceTimersByTimeAsync(2000)

    expect(await result).toEqual(answer)
    expect(reports).toHaveLength('available' in answer && answer.available === true ? 0 : 1)
  })

  it('leaves out what only describes a user', async () => {
    const userData = { export: hang, merge: hang, erase: hang, merged: {}, timeZone: fail }
    const { module, reports } = guard({ userData })

    expect(await module.userData?.timeZone?.('ada')).toBeUndefined()
    expect(reports).toMatchObject([[{ code: 'internal' }, 'dice']])
  })
})
