import { describe, expect, it } from 'vitest'

import { dataStream, native, uiMessageStream } from './index.ts'

const user = { role: 'user', content: 'Go.', parts: [{ type: 'text', text: 'Go.' }] }
const schema = { type: 'object', properties: { city: { type: 'string' } } }
const bodies = [
  { protocol: uiMessageStream, body: { messages: [user] } },
  { protocol: dataStream, body: { messages: [user] } },
  { protocol: native, body: { message: 'Go.' } },
]

describe.each(bodies)('tools of the client in $protocol.name', ({ protocol, body }) => {
  it.each([
    [{ where: { description: 'Where.', inputSchema: schema } }],
    [{ where: { description: 'Where.', inputSchema: { jsonSchema: schema } } }],
    [[{ name: 'where', description: 'Where.', parameters: schema }]],
  ])('accepts %j', (tools) => {
    expect(protocol.parse({ ...body, tools })).toMatchObject({
      tools: [{ name: 'where', description: 'Where.', inputSchema: schema }],
    })
  })

  it('accepts tools without description, and no tools', () => {
    expect(protocol.parse({ ...body, tools: { ping: {} } })).toMatchObject({
      tools: [{ name: 'ping', description: '', inputSchema: { type: 'object' } }],
    })
    expect(protocol.parse(body)).not.toHaveProperty('tools')
  })

  it('asks the user before each call of a tool that wants it, also next to another of its name', () => {
    const tools = [
      { name: 'a', description: 'First.' },
      { name: 'a', confirmationRequired: true },
      { name: 'b', confirmationRequired: true },
      { name: 'c', metadata: { confirmationRequired: true } },
      { name: 'd', confirmationRequired: false },
    ]

    const { tools: read = [] } = protocol.parse({ ...body, tools }) as { tools?: { confirm?: boolean }[] }
    expect(read.map(({ confirm = false }) => confirm)).toEqual([false, true, true, false])
  })

  it('takes the first of two tools with one name', () => {
    const tools = [{ name: 'a', description: 'First.' }, { name: 'b' }, { name: 'a' }]

    expect(protocol.parse({ ...body, tools })).toMatchObject({
      tools: [{ name: 'a', description: 'First.' }, { name: 'b' }],
    })
  })

  it.each([
    [{ 'a b': {} }, 'tools.a b: a name must be 1 to 64 letters, digits, _ or -'],
    [[{ name: '' }], 'tools.0.name: must be 1 to 64 letters, digits, _ or -'],
    [{ 天气: {} }, 'a name must be'],
    [{ ['x'.repeat(65)]: {} }, 'a name must be'],
    [{ a: { inputSchema: 'string' } }, 'tools.a.inputSchema: must be a JSON schema of an object'],
    [{ a: { inputSchema: { type: 'string' } } }, 'tools.a.inputSchema: must be a JSON schema of an object'],
    [{ a: { inputSchema: { description: 'x'.repeat(300_000) } } }, 'tools: must be at most 256 KB of JSON'],
    [Array.from({ length: 129 }, (_, at) => ({ name: `t${at}` })), 'tools: must be at most 128'],
    ['where', 'tools: '],
  ])('refuses invalid tools (%#)', (tools, words) => {
    expect(() => protocol.parse({ ...body, tools })).toThrow(words)
  })

  it('accepts tools together with a policy', () => {
    expect(protocol.parse({ ...body, policy: 'steer' })).toMatchObject({ policy: 'steer' })
    expect(protocol.parse(body)).not.toHaveProperty('policy')
    expect(() => protocol.parse({ ...body, policy: 'push' })).toThrow(
      'policy: must be reject, enqueue, interrupt or steer',
    )
    if (protocol === native) return
    expect(protocol.parse({ ...body, options: { policy: 'interrupt' } })).toMatchObject({
      policy: 'interrupt',
    })
  })
})
