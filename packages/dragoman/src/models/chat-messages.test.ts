import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { toChatMessages } from './chat-messages.ts'

type User = Extract<LanguageModelV4Message, { role: 'user' }>

const text = (words: string) => ({ type: 'text', text: words }) as const
const picture = {
  type: 'file',
  mediaType: 'image/png',
  filename: 'a.png',
  data: { type: 'data', data: 'AAAA' },
} as const
const returned = text('[File: a.png (image/png). The tool look returned it.]')
const user = (...content: User['content']): User => ({ role: 'user', content })
const result = (id: string, output: LanguageModelV4ToolResultPart['output']) =>
  ({ type: 'tool-result', toolCallId: id, toolName: 'look', output }) as const

describe('messages of chat completions', () => {
  it('of the user become one where they meet', () => {
    const prompt = [user(text('one')), user(text('two'), picture), user(picture, text('three'))]

    expect(toChatMessages(prompt)).toEqual([user(text('one\n\ntwo'), picture, picture, text('three'))])
  })

  it('of the user have one text where texts meet, so that no list is needed', () => {
    expect(toChatMessages([user(text('one'), text('two'))])).toEqual([user(text('one\n\ntwo'))])
  })

  it('with outcomes are followed by the files of all of them', () => {
    const content = [
      result('c1', { type: 'content', value: [text('Taken.'), picture] }),
      result('c2', { type: 'content', value: [picture] }),
    ]

    expect(toChatMessages([{ role: 'tool', content }, user(text('And?'))])).toEqual([
      {
        role: 'tool',
        content: [
          result('c1', { type: 'text', value: 'Taken.' }),
          result('c2', { type: 'text', value: 'Its files follow.' }),
        ],
      },
      user(returned, picture, returned, picture, text('And?')),
    ])
  })

  it('without either stay as they are', () => {
    const prompt: LanguageModelV4Message[] = [
      user(text('one')),
      { role: 'assistant', content: [text('two')] },
      { role: 'tool', content: [result('c1', { type: 'text', value: 'Nothing.' })] },
    ]

    expect(toChatMessages(prompt)).toEqual(prompt)
  })
})
