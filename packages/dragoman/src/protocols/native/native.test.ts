import { describe, expect, it } from 'vitest'

import { emptyMessage, fold, type LogEntry } from '../../events/index.ts'
import { describeProtocol } from '../protocol.contract.ts'
import { validateNative } from '../frame-validators.fixture.ts'
import { logOf, run, stories } from '../stories.fixture.ts'
import { native } from './index.ts'

describeProtocol(native, validateNative)

describe('native', () => {
  it.each(Object.entries(stories))(
    'contains for %s everything that the message is made of',
    (_story, events) => {
      const log = logOf(events)
      const encoder = native.encoder({ run, view: {} })
      const read = log.flatMap((entry) => encoder(entry)).map((text) => JSON.parse(text) as LogEntry['event'])
      const folded = (all: readonly LogEntry['event'][]) => all.reduce(fold, emptyMessage('m'))
      const message = folded(log.map(({ event }) => event))

      expect(folded(read).parts).toEqual(
        message.parts.map((part) =>
          Object.fromEntries(Object.entries(part).filter(([field]) => field !== 'provider')),
        ),
      )
    },
  )

  it.each([
    [{}, 'message, messages or parts is required'],
    [{ message: 'a', options: { showThinking: false } }, 'options: '],
    [
      { messages: [{ role: 'assistant', content: 'a' }] },
      'messages.0.role: the last message must be the user',
    ],
    [{ message: 1 }, 'message: '],
    [{ parts: [] }, 'parts: '],
    [{ parts: [{ type: 'file', url: 'file:///x', mediaType: 'a/b' }] }, 'parts.0.url: must be a data: URL'],
  ])('refuses %j, naming the field', (body, words) => {
    expect(() => native.parse(body)).toThrow(words)
  })

  it('reads a conversation and its name', () => {
    const messages = [
      { role: 'user', content: 'My name is Ada.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'What is my name?' },
    ]

    expect(native.parse({ messages, options: { conversationId: 'mine', stream: false } })).toMatchObject({
      thread: 'mine',
      stream: false,
      turns: [
        { role: 'user', text: 'My name is Ada.' },
        { role: 'assistant', text: 'Hello.' },
      ],
      message: { parts: [{ type: 'text', text: 'What is my name?' }] },
    })
  })
})
