import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { describeProtocol } from '../protocol.contract.ts'
import { logOf, run, stories } from '../stories.fixture.ts'
import { eve } from './index.ts'

/** The frames that the surface documents, with exactly these fields. */
const id = (kind: string) => z.string().regex(new RegExp(`^${kind}_[\\w-]{8}$`))
const frame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), messageId: z.string().startsWith('msg_') }),
  z.strictObject({ type: z.literal('reasoning-start'), id: id('reasoning') }),
  z.strictObject({ type: z.literal('reasoning-delta'), id: id('reasoning'), delta: z.string() }),
  z.strictObject({ type: z.literal('reasoning-end'), id: id('reasoning') }),
  z.strictObject({ type: z.literal('text-start'), id: id('text') }),
  z.strictObject({ type: z.literal('text-delta'), id: id('text'), delta: z.string() }),
  z.strictObject({ type: z.literal('text-end'), id: id('text') }),
  z.strictObject({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    args: z.json(),
  }),
  z.strictObject({
    type: z.literal('tool-call-delta'),
    toolCallId: z.string(),
    status: z.literal('running'),
    progress: z
      .strictObject({ current: z.number(), total: z.number(), message: z.string() })
      .partial()
      .optional(),
  }),
  z.strictObject({ type: z.literal('tool-result'), toolCallId: z.string(), result: z.string() }),
  z.strictObject({ type: z.literal('error'), error: z.string() }),
  z.strictObject({
    type: z.literal('finish'),
    finishReason: z.enum(['stop', 'tool-calls', 'length', 'content-filter', 'error']),
    usage: z.strictObject({ promptTokens: z.number(), completionTokens: z.number() }),
  }),
])

/** Blocks are opened, filled and closed, one at a time; results follow their calls; the finish is last, and once. */
function judge(frames: readonly string[]): void {
  let open: string | undefined
  const calls = new Set<string>()
  for (const [index, text] of frames.entries()) {
    const said = frame.parse(JSON.parse(text))
    if (said.type === 'text-start' || said.type === 'reasoning-start') {
      if (open) throw new Error(`${said.id} opens within ${open}`)
      open = said.id
    } else if ('id' in said) {
      if (open !== said.id) throw new Error(`${said.id} is not open`)
      if (said.type.endsWith('-end')) open = undefined
    } else if (open) {
      throw new Error(`${said.type} within ${open}`)
    }
    if (said.type === 'tool-call') calls.add(said.toolCallId)
    if (said.type === 'tool-result' && !calls.delete(said.toolCallId))
      throw new Error('a result without its call')
    if ((said.type === 'finish') !== (index === frames.length - 1))
      throw new Error('finish is last, and only last')
  }
  if (calls.size > 0) throw new Error('a call without a result')
}

describeProtocol(eve, judge)

describe('eve', () => {
  it('keeps its ping a frame', () => {
    expect(eve.heartbeat).toBe('data: {"type":"ping"}\n\n')
  })

  it('leaves reasoning out where it is not wanted, also from the whole', () => {
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

  it('takes a message alone', () => {
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
