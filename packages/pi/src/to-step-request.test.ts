import {
  getCurrentSystemPrompt,
  getCurrentTools,
  type AssistantMessage,
  type Message,
} from '@earendil-works/pi-ai'
import { describe, expect, it } from 'vitest'

import { assistantMessage } from './pi-messages.ts'
import { toStepRequest } from './to-step-request.ts'

const promptOf = (...messages: Message[]) =>
  toStepRequest(messages, { instructions: getCurrentSystemPrompt, tools: getCurrentTools }).prompt
const user = (content: string): Message => ({ role: 'user', content, timestamp: 0 })
const calling = (...ids: string[]): AssistantMessage =>
  assistantMessage(ids.map((id) => ({ type: 'toolCall', id, name: 'look', arguments: {} })))
const result = (toolCallId: string, text = 'seen'): Message => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'look',
  content: [{ type: 'text', text }],
  isError: false,
  timestamp: 0,
})

describe('toRequest', () => {
  it('puts the results of one turn into one message', () => {
    const prompt = promptOf(user('hi'), calling('a', 'b'), result('a'), result('b'))

    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(prompt.at(-1)?.content).toHaveLength(2)
  })

  it('drops results without calls, and adds results to calls without one', () => {
    const prompt = promptOf(user('hi'), result('gone'), calling('a', 'b'), result('b'))

    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(prompt.at(-1)?.content).toMatchObject([
      { toolCallId: 'a', output: { type: 'error-text' } },
      { toolCallId: 'b', output: { type: 'text', value: 'seen' } },
    ])
  })

  it('drops reasoning of other providers, empty texts and empty messages', () => {
    const thought = {
      type: 'thinking' as const,
      thinking: 'Hm.',
      thinkingSignature: 'c2lnbmVkIGVsc2V3aGVyZQ',
    }
    const prompt = promptOf(
      user(''),
      assistantMessage([thought]),
      assistantMessage([thought, { type: 'text', text: ' ' }, { type: 'text', text: 'So.' }]),
    )

    expect(prompt).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'So.' }] }])
  })
})
