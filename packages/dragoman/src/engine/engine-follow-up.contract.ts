import { expect, it } from 'vitest'

import { CORRECTION, serverNote, type AssistantMessage } from '../events/index.ts'
import { call, finish, say, type Run, type Step } from './engine-harness.fixture.ts'

const again: Step = [...call('c', 'look', '{}'), finish('tool-calls')]
const done: Step = [...say('Done.'), finish()]
const FINAL_PROMPT = 'Answer now.'
const noteMessage = (words: string) => ({
  role: 'user',
  content: [{ type: 'text', text: serverNote(words) }],
})

/**
 * What an engine sends to its model besides the conversation: the final prompt at the step limit, and the
 * corrections of a guardrail.
 */
export function describeFollowUp(run: Run): void {
  it('sends the final prompt at the step limit, without tools', async () => {
    const result = await run([again, again, done], { stepsLeft: 2, finalPrompt: FINAL_PROMPT })

    expect(result.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      { type: 'auto' },
      { type: 'auto' },
      { type: 'none' },
    ])
    expect(result.requests.at(-1)?.tools).toHaveLength(2)
    expect(result.requests.at(-1)?.prompt.at(-1)).toEqual(noteMessage(FINAL_PROMPT))
    expect(result.events.filter(({ type }) => type === 'step.finished')).toMatchObject([
      { reason: 'tool-calls' },
      { reason: 'tool-calls' },
      { reason: 'step-limit' },
    ])
  })

  it('runs no tool that the model calls after the final prompt', async () => {
    const result = await run([again, again, done], { stepsLeft: 1, finalPrompt: FINAL_PROMPT })

    expect(result.error).toBeUndefined()
    expect(result.calls).toHaveLength(1)
    expect(result.requests).toHaveLength(2)
    expect(result.events.at(-1)).toMatchObject({ type: 'step.finished', reason: 'step-limit' })
  })

  it('sends the final prompt after a crash if no steps are left', async () => {
    const partialAnswer: AssistantMessage = {
      role: 'assistant',
      id: 'm',
      status: 'streaming',
      parts: [
        { type: 'step', model: 'test:scripted' },
        {
          type: 'tool',
          callId: 'r.1',
          tool: 'look',
          state: 'returned',
          inputText: '',
          input: {},
          output: 1,
          text: 'x',
        },
      ],
    }
    const result = await run([done], { stepsLeft: 0, finalPrompt: FINAL_PROMPT, partialAnswer })

    expect(result.requests[0]).toMatchObject({ toolChoice: { type: 'none' } })
    expect(result.requests[0]?.prompt.at(-1)).toEqual(noteMessage(FINAL_PROMPT))
  })

  it('sends no final prompt within the step limit', async () => {
    const result = await run([again, done], { stepsLeft: 2, finalPrompt: FINAL_PROMPT })

    expect(result.requests).toHaveLength(2)
    expect(result.events.at(-1)).toMatchObject({ reason: 'stop' })
  })

  it('applies a correction of the guardrail once, and records it', async () => {
    const reviewed: string[] = []
    const result = await run(
      [
        [...say('It is Tuesday.'), finish()],
        [...say('It is Monday.'), finish()],
      ],
      {
        outputGuardrail: async ({ parts }) => {
          const [text] = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          reviewed.push(text ?? '')
          return 'It is Monday.'
        },
      },
    )

    expect(reviewed).toEqual(['It is Tuesday.'])
    expect(result.requests).toHaveLength(2)
    expect(result.requests[1]).toMatchObject({ toolChoice: { type: 'none' } })
    expect(result.requests[1]?.prompt.at(-1)).toEqual(noteMessage('It is Monday.'))
    expect(result.types().filter((type) => type === 'data' || type.startsWith('step'))).toEqual([
      'step.started',
      'step.finished',
      'data',
      'step.started',
      'step.finished',
    ])
    expect(result.events.find(({ type }) => type === 'data')).toEqual({
      type: 'data',
      name: CORRECTION,
      value: { because: 'It is Monday.' },
    })
    expect(result.events.at(-1)).toMatchObject({ reason: 'stop' })
  })

  it('sends no correction if the guardrail finds nothing', async () => {
    const result = await run([done], { outputGuardrail: async () => undefined })

    expect(result.requests).toHaveLength(1)
    expect(result.types()).not.toContain('data')
  })

  it('continues with a recorded correction after an interruption', async () => {
    const partialAnswer: AssistantMessage = {
      role: 'assistant',
      id: 'm',
      status: 'streaming',
      parts: [
        { type: 'step', model: 'test:scripted' },
        { type: 'text', partId: 'p', text: 'It is Tuesday.', open: false },
        { type: 'data', name: CORRECTION, value: { because: 'It is Monday.' } },
      ],
    }
    const result = await run([done], { partialAnswer, outputGuardrail: async () => 'Never again.' })

    expect(result.requests).toHaveLength(1)
    expect(result.requests[0]?.prompt.at(-1)).toEqual(noteMessage('It is Monday.'))
  })
}
