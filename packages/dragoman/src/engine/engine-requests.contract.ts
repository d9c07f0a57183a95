import { expect, it } from 'vitest'

import type { Message } from '../events/index.ts'
import { call, finish, say, type Run, type Step } from './engine-harness.fixture.ts'

const done: Step = [...say('ok'), finish()]

/** The requests of an engine to its model. */
export function describeRequests(run: Run): void {
  it('sends the conversation to the model: roles, and calls with their outcomes', async () => {
    const history: Message[] = [
      { role: 'user', id: 'u1', parts: [{ type: 'text', text: 'first' }] },
      {
        role: 'assistant',
        id: 'a1',
        status: 'cancelled',
        parts: [
          { type: 'step', model: 'x' },
          { type: 'reasoning', partId: 'p0', text: 'unsigned thought', open: false },
          { type: 'text', partId: 'p1', text: 'answer', open: false },
          { type: 'tool', callId: 'run_1.1', tool: 'look', state: 'executing', inputText: '{}', input: {} },
          { type: 'tool', callId: 'run_1.2', tool: 'look', state: 'input', inputText: '{"cut' },
        ],
      },
      { role: 'user', id: 'u2', parts: [{ type: 'text', text: 'second' }] },
    ]
    const result = await run([done], { history })

    expect(result.roles[0]).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    expect(result.prompts[0]).not.toContain('unsigned thought')
    expect(result.prompts[0]).not.toContain('cut')
    expect(result.prompts[0]).toContain('had an outcome')
    expect(result.prompts[0]).not.toContain('run_1.1')
  })

  it.each([
    ['leaves a long input out that was refused', 'invalid-input', false],
    ['sends a long input of a tool that failed', 'tool-failed', true],
  ])('%s', async (_, code, isSent) => {
    const input = JSON.stringify({ numbers: Array(30_000).fill('x') })
    const result = await run([[...call('c1', 'look', input), finish('tool-calls')], done], {
      outcome: async () => ({ ok: false, output: null, text: 'No.', code }),
    })

    expect((result.prompts[1] ?? '').length > 20_000).toBe(isSent)
  })

  it('stores provider metadata of a delta, and sends it back in the next step', async () => {
    const providerMetadata = { test: { signature: 'of-a-delta' } }
    const result = await run([
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
        { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata },
        { type: 'reasoning-end', id: 'r' },
        ...call('c1', 'look', '{}'),
        finish('tool-calls'),
      ],
      done,
    ])

    expect(result.prompts[1]).toContain('of-a-delta')
    expect(result.prompts[1]).toContain('Hm.')
  })

  it('sends a call back as the provider made it, with its own outcome', async () => {
    const first = Promise.withResolvers<void>()
    const providerMetadata = { test: { itemId: 'item-1' } }
    const result = await run(
      [
        [
          { type: 'tool-call', toolCallId: 'c1', toolName: 'slow', input: '{"n":1}', providerMetadata },
          ...call('c2', 'look', '{"n":2}'),
          finish('tool-calls'),
        ],
        done,
      ],
      {
        outcome: async ({ tool }) => {
          if (tool === 'slow') await first.promise
          first.resolve()
          return { ok: true, output: null, text: `from ${tool}` }
        },
      },
    )

    expect(result.requests[1]?.prompt.slice(-2)).toEqual([
      {
        role: 'assistant',
        content: [
          expect.objectContaining({ toolCallId: 'c1', input: { n: 1 }, providerOptions: providerMetadata }),
          expect.objectContaining({ toolCallId: 'c2', input: { n: 2 } }),
        ],
      },
      {
        role: 'tool',
        content: [
          expect.objectContaining({ toolCallId: 'c1', output: { type: 'text', value: 'from slow' } }),
          expect.objectContaining({ toolCallId: 'c2', output: { type: 'text', value: 'from look' } }),
        ],
      },
    ])
  })

  it('sends no provider the metadata of another one', async () => {
    const result = await run(
      [
        [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
          { type: 'reasoning-end', id: 'r', providerMetadata: { other: { signature: 'abc' } } },
          ...say('Wait.'),
          finish(),
        ],
      ],
      {
        history: [
          {
            role: 'assistant',
            id: 'a',
            status: 'finished',
            parts: [
              { type: 'step', model: 'other:m' },
              {
                type: 'reasoning',
                partId: 'p',
                text: 'Secret.',
                open: false,
                provider: { name: 'other', metadata: { other: { signature: 'abc' } } },
              },
              { type: 'text', partId: 'q', text: 'Said.', open: false },
            ],
          },
          { role: 'user', id: 'u', parts: [{ type: 'text', text: 'go on' }] },
        ],
      },
    )

    expect(result.prompts[0]).toContain('Said.')
    expect(result.prompts[0]).not.toContain('Secret.')
    expect(result.prompts[0]).not.toContain('abc')
  })

  it("sends the agent's settings, its instructions and the schemas of its tools", async () => {
    const result = await run([done], {
      model: {
        primary: 'sonnet',
        fallback: 'haiku',
        temperature: 0.5,
        thinking: 'low',
        maxOutputTokens: 99,
      },
    })

    expect(result.requests[0]).toMatchObject({
      temperature: 0.5,
      reasoning: 'low',
      maxOutputTokens: 99,
      toolChoice: { type: 'auto' },
      tools: [
        { type: 'function', name: 'look', description: 'look', inputSchema: { type: 'object' } },
        { type: 'function', name: 'slow' },
      ],
    })
    expect(result.requests[0]?.prompt[0]).toMatchObject({ role: 'system', content: 'You are tested.' })
  })

  it('leaves settings that the agent does not have to the provider', async () => {
    const result = await run([done])

    expect(result.requests[0]?.temperature).toBeUndefined()
    expect(result.requests[0]?.reasoning).toBeUndefined()
    expect(result.requests[0]?.maxOutputTokens).toBeUndefined()
  })

  it('sends files as bytes, and an image with its real media type', async () => {
    const gif = 'R0lGODlhAQABAAAAACwAAAAAAQABAAA='
    const result = await run([done], {
      history: [
        {
          role: 'user',
          id: 'u',
          parts: [
            { type: 'text', text: 'Look.' },
            { type: 'file', url: `data:image/png;base64,${gif}`, mediaType: 'image/png', filename: 'a.png' },
            { type: 'file', url: 'data:text/plain;charset=utf-8;base64,aGk=', mediaType: 'text/plain' },
          ],
        },
      ],
    })

    expect(result.requests[0]?.prompt.at(-1)?.content).toMatchObject([
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType: 'image/gif', filename: 'a.png', data: { type: 'data', data: gif } },
      { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'aGk=' } },
    ])
  })
}
