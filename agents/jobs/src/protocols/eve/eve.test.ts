import { describe, expect, it } from 'vitest'

import { describeProtocol } from '../../../../../packages/dragoman/src/protocols/protocol.contract.ts'
import { eveJudge } from './judge.fixture.ts'
import { logOf, run, stories } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { eve } from './index.ts'

describeProtocol(eve, eveJudge)

describe('eve', () => {
  it('keeps its ping a frame', () => {
    expect(eve.heartbeat).toBe('data: {"type":"ping"}\n\n')
  })

  it('omits reasoning on request, also from the whole answer', () => {
    const view = eve.view({ showThinking: false }, {})
    const encoder = eve.encoder({ run, view })

    expect(
      logOf(stories.text)
        .flatMap((entry) => encoder(entry))
        .join(),
    ).not.toContain('reasoning')
  })

  it.each([
    [{}, 'messages is required'],
    [{ messages: [] }, 'messages is required'],
    [{ messages: 'x' }, 'messages is required'],
    [{ messages: [{ role: 'system', content: 'x' }] }, 'messages.0.role: must be "user" or "assistant"'],
    [{ messages: [{ role: 'user', content: 1 }] }, 'messages.0.content'],
    [{ messages: [{ role: 'user', content: ' ' }] }, 'messages.0.content: the message is empty'],
    [{ messages: [{ role: 'assistant', content: 'x' }] }, "messages.0: the last message must be the user's"],
    [{ messages: [{ role: 'user', content: 'x' }], options: { stream: 'no' } }, 'options.stream'],
  ])('refuses %j, naming the field', (body, words) => {
    expect(() => eve.parse(body)).toThrow(words)
  })

  it('accepts files of the last message', () => {
    const file = { url: '/v1/files/file_a', mediaType: 'image/png', filename: 'a.png' }
    const old = {
      role: 'user',
      content: 'Before',
      files: [{ url: 'data:left-out,', mediaType: 'image/png' }],
    }

    expect(eve.parse({ messages: [old, { role: 'user', content: '', files: [file] }] })).toMatchObject({
      turns: [{ role: 'user', text: 'Before' }],
      message: { parts: [{ type: 'file', ...file }] },
    })
    expect(() => eve.parse({ messages: [old] })).toThrow('messages.0.files.0.url: must be')
  })

  it('accepts a single message', () => {
    expect(
      eve.parse({ message: 'hi', options: { conversationId: 'c1', showThinking: false } }),
    ).toMatchObject({
      thread: 'c1',
      turns: [],
      message: { parts: [{ type: 'text', text: 'hi' }] },
      view: { showThinking: false },
      stream: true,
    })
  })
})
