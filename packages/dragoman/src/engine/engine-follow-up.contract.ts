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
  it('gives an agent a last word at its step limit, in which it can call nothing', async () => {
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

  it('gives it one, and runs nothing where the model calls something all the same', async () => {
    const result = await run([again, again, done], { stepsLeft: 1, finalPrompt: FINAL_PROMPT })

    expect(result.error).toBeUndefined()
    expect(result.calls).toHaveLength(1)
    expect(result.requests).toHaveLength(2)
    expect(result.events.at(-1)).toMatchObject({ type: 'step.finished', reason: 'step-limit' })
  })

  it('gives it after a crash too, where no step was left', async () => {
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

  it('gives none to one that ends within its limit', async () => {
    const result = await run([again, done], { stepsLeft: 2, finalPrompt: FINAL_PROMPT })

    expect(result.requests).toHaveLength(2)
    expect(result.events.at(-1)).toMatchObject({ reason: 'stop' })
  })

  it('has what a review finds put right, once, and says that it was', async () => {
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

  it('asks nothing more where a review finds nothing', async () => {
    const result = await run([done], { outputGuardrail: async () => undefined })

    expect(result.requests).toHaveLength(1)
    expect(result.types()).not.toContain('data')
  })

  it('goes on with what a review had found when it was cut off', async () => {
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
