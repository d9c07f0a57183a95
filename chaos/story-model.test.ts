import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { promptMistake } from './prompt-mistake.ts'
import { textOf, thoughtOf, toMessage, type Story } from './story.ts'
import { nextOutput } from './story-model.ts'

const [first, second] = ['1-0/0/0', '1-0/0/1'].map(
  (place) => ({ place, tool: 'write', before: 0, after: 0 }) as const,
)
const calls = [first, second].flatMap((call) => call ?? [])
const story: Story = {
  name: '1-0',
  pace: 1,
  steps: [
    { thought: 2, words: 3, calls },
    { thought: 0, words: 2, calls: [] },
  ],
}
const cutOff: LanguageModelV4Message = user('You were cut off.')
const history = [user('An earlier message.'), assistant('An earlier answer.'), user(toMessage(story))]

function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function assistant(text: string, ...places: readonly string[]): LanguageModelV4Message {
  const made = places.map((place) => ({
    type: 'tool-call' as const,
    toolCallId: place,
    toolName: 'write',
    input: { place },
  }))
  return { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...made] }
}

function outcomes(...places: readonly string[]): LanguageModelV4Message {
  const output = { type: 'text' as const, value: 'done' }
  return {
    role: 'tool',
    content: places.map((place) => ({ type: 'tool-result', toolCallId: place, toolName: 'write', output })),
  }
}

describe('the story model', () => {
  const [text, rest] = [textOf(story, 0), textOf(story, 1)]

  it.each<[when: string, since: LanguageModelV4Prompt, next: object]>([
    ['begins', [], { thought: thoughtOf(story, 0), text, calls }],
    [
      'goes on in the middle of a word',
      [assistant(text.slice(0, 7)), cutOff],
      { thought: '', text: text.slice(7), calls },
    ],
    [
      'goes on where it was cut off twice',
      [assistant(text.slice(0, 3)), cutOff, assistant(text.slice(3, 9)), cutOff],
      { text: text.slice(9), calls },
    ],
    [
      'makes the call that it has not made',
      [assistant(text, '1-0/0/0'), outcomes('1-0/0/0'), cutOff],
      { thought: '', text: '', calls: calls.slice(1) },
    ],
    [
      'takes the next step',
      [assistant(text, '1-0/0/0', '1-0/0/1'), outcomes('1-0/0/0', '1-0/0/1')],
      { text: rest, calls: [] },
    ],
    [
      'has nothing more to say',
      [assistant(text, '1-0/0/0', '1-0/0/1'), outcomes('1-0/0/0', '1-0/0/1'), assistant(rest), cutOff],
      { text: '', calls: [] },
    ],
  ])('%s', (_when, since, next) => {
    expect(nextOutput([...history, ...since])).toMatchObject(next)
  })

  it.each([
    ['lacks a word', text.slice(7)],
    ['has a word twice', text.slice(0, 7) + text.slice(0, 7)],
  ])('refuses a history that %s', (_fault, problem) => {
    expect(() => nextOutput([...history, assistant(problem), cutOff])).toThrow('I never said')
  })
})

describe('promptMistake', () => {
  const turn = assistant('I write.', 'a', 'b')

  it('accepts an outcome for each call', () => {
    expect(promptMistake([...history, turn, outcomes('b', 'a')])).toBeUndefined()
  })

  it.each<[fault: string, prompt: LanguageModelV4Prompt, sentence: string]>([
    ['whose call dangles', [...history, turn, outcomes('a')], 'calls b, which has no outcome in the next'],
    ['whose outcome has no call', [...history, turn, outcomes('a', 'b', 'c')], 'has an outcome of c'],
    [
      'with a call twice',
      [...history, turn, outcomes('a', 'b'), turn, outcomes('a', 'b')],
      'calls a, which was called before',
    ],
    ['with an empty message', [...history, assistant(''), cutOff], 'is empty'],
    ['with an empty text', [...history, assistant(' '), cutOff], 'has an empty text'],
    [
      'that ends with what the model said',
      [...history, assistant('I was')],
      'the last message is not for the model',
    ],
  ])('refuses a prompt %s', (_fault, prompt, sentence) => {
    expect(promptMistake(prompt)).toContain(sentence)
  })
})
