import { expect, it } from 'vitest'

import {
  CUT_OFF_NOTICE,
  type AssistantMessage,
  type AssistantPart,
  type UserMessage,
} from '../events/index.ts'
import { call, finish, say, type Run } from './engine-harness.fixture.ts'

const answerOf = (...parts: readonly AssistantPart[]): AssistantMessage => ({
  role: 'assistant',
  id: 'm',
  status: 'streaming',
  parts,
})
const step = { type: 'step', model: 'test:scripted' } as const
const text = (words: string, open = false) => ({ type: 'text', partId: 'p', text: words, open }) as const
const tool = (callId: string, more: object) =>
  ({
    type: 'tool',
    callId,
    tool: 'look',
    state: 'returned',
    inputText: '',
    input: { at: 1 },
    ...more,
  }) as const
const userMessage = (id: string, words: string): UserMessage => ({
  role: 'user',
  id,
  parts: [{ type: 'text', text: words }],
})

/** How an engine continues a run that was suspended or interrupted, and reads messages that arrive meanwhile. */
export function describeResume(run: Run): void {
  it('continues directly after the outcomes of a suspended run', async () => {
    const partialAnswer = answerOf(step, text('I pay.'), tool('run.1', { output: 1, text: 'paid' }))
    const result = await run([[...say('Done.'), finish()]], { partialAnswer })

    expect(result.error).toBeUndefined()
    expect(result.roles).toEqual([['system', 'user', 'assistant', 'tool']])
    expect(result.prompts[0]).toContain('paid')
    expect(result.prompts[0]).not.toContain(CUT_OFF_NOTICE)
    expect(result.types()).toEqual([
      'step.started',
      'text.started',
      'text.delta',
      'text.ended',
      'step.finished',
    ])
  })

  it('asks the model to continue an interrupted answer from its last word', async () => {
    const result = await run([[...say(' world'), finish()]], { partialAnswer: answerOf(step, text('Hello')) })

    expect(result.roles).toEqual([['system', 'user', 'assistant', 'user']])
    expect(result.requests[0]?.prompt.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: CUT_OFF_NOTICE }],
    })
    expect(result.requests[0]?.prompt.at(-2)).toMatchObject({ content: [{ type: 'text', text: 'Hello' }] })
  })

  it('reports calls without an outcome, and leaves out calls whose input was cut off', async () => {
    const failure = { code: 'outcome-unknown', message: 'It is not known.', retryable: false }
    const result = await run([[...say('ok'), finish()]], {
      partialAnswer: answerOf(
        step,
        { ...tool('run.1', {}), state: 'failed', failure },
        { type: 'tool', callId: 'run.2', tool: 'look', state: 'failed', inputText: '{"a', failure },
      ),
    })

    const [, , assistant, outcomes] = result.requests[0]?.prompt ?? []
    expect(assistant?.content).toMatchObject([{ type: 'tool-call', toolCallId: 'run_1' }])
    expect(outcomes?.content).toMatchObject([
      { type: 'tool-result', toolCallId: 'run_1', output: { type: 'error-text', value: 'It is not known.' } },
    ])
  })

  it('sends back what a provider has signed, and reasoning only with its signature', async () => {
    const provider = { name: 'test', metadata: { test: { signature: 'sig' } } }
    const result = await run([[...say('ok'), finish()]], {
      partialAnswer: answerOf(
        step,
        { type: 'reasoning', partId: 'r', text: 'Signed.', open: false, provider },
        { type: 'reasoning', partId: 's', text: 'Cut off.', open: false },
        text('So'),
      ),
    })

    expect(result.requests[0]?.prompt[2]?.content).toEqual([
      { type: 'reasoning', text: 'Signed.', providerOptions: { test: { signature: 'sig' } } },
      { type: 'text', text: 'So' },
    ])
  })

  it('starts new steps, as many as are left, with new call ids', async () => {
    const result = await run(
      [
        [...call('c1', 'look', '{}'), finish('tool-calls')],
        [...call('c1', 'look', '{}'), finish('tool-calls')],
      ],
      { partialAnswer: answerOf(step, tool('1:1:c1', { output: 1, text: 'seen' })), stepsLeft: 2 },
    )

    expect(new Set(result.callIds()).size).toBe(2)
    expect(result.requests).toHaveLength(2)
    expect(result.events.at(-1)).toMatchObject({ type: 'step.finished', reason: 'step-limit' })
  })

  it('reads user messages before each step, and once more before it returns', async () => {
    const letters = [[], [userMessage('u2', 'and this?')], [userMessage('u3', 'one more')], []]
    const result = await run(
      [
        [...call('c1', 'look', '{}'), finish('tool-calls')],
        [...say('this too'), finish()],
        [...say('that as well'), finish()],
      ],
      { userMessages: () => letters.shift() ?? [] },
    )

    expect(result.error).toBeUndefined()
    expect(result.roles).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool', 'user'],
      ['system', 'user', 'assistant', 'tool', 'user', 'assistant', 'user'],
    ])
    expect(result.prompts.join('')).not.toContain(CUT_OFF_NOTICE)
  })

  it('answers a user message at the last step within a new step limit', async () => {
    const letters = [[], [userMessage('u2', 'and this?')]]
    const result = await run(
      [
        [...call('c1', 'look', '{}'), finish('tool-calls')],
        [...say('this too'), finish()],
      ],
      { stepsLeft: 1, userMessages: () => letters.shift() ?? [] },
    )

    expect(result.requests).toHaveLength(2)
    expect(result.events.at(-1)).toMatchObject({ type: 'step.finished', reason: 'stop' })
  })

  it('emits the end of a step before the outcomes of its calls, and waits for both', async () => {
    const order: string[] = []
    const result = await run(
      [
        [...call('c1', 'slow', '{}'), finish('tool-calls')],
        [...say('ok'), finish()],
      ],
      {
        outcome: async () => {
          await new Promise(setImmediate)
          order.push('outcome')
          return { ok: true, output: null, text: 'done' }
        },
        emit: (event) => void order.push(event.type),
      },
    )

    expect(result.error).toBeUndefined()
    expect(order.slice(0, 7)).toEqual([
      'step.started',
      'tool.started',
      'tool.delta',
      'tool.called',
      'step.finished',
      'outcome',
      'step.started',
    ])
  })
}
