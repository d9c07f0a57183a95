import type { AgentMessage } from '@earendil-works/pi-agent-core'
import { describe, expect, it } from 'vitest'

import type { Message, UserMessage } from 'dragoman/events'
import {
  call,
  finish,
  runInHarness,
  say,
  type HarnessOptions,
  type Step,
} from '../../dragoman/src/engine/engine-harness.fixture.ts'
import { piEngine, type PiHooks } from './index.ts'

const run = (hooks: PiHooks, steps: readonly Step[], more: HarnessOptions = {}) =>
  runInHarness(piEngine(hooks).create, steps, more)
const calls: Step = [...call('c1', 'look', '{"at":1}'), finish('tool-calls')]
const done: Step = [...say('Done.'), finish()]
const user = (id: string, text: string): UserMessage => ({
  role: 'user',
  id,
  parts: [{ type: 'text', text }],
})
const rolesOf = (messages: readonly AgentMessage[]) => messages.map(({ role }) => role)
const looking = { name: 'look', description: 'Looks.' }
const schema = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] }

describe('pi’s messages', () => {
  it('contain the conversation, the run so far and the tools with their schemas', async () => {
    const transcripts: AgentMessage[][] = []
    const history: Message[] = [
      user('u1', 'hi'),
      {
        role: 'assistant',
        id: 'a1',
        status: 'finished',
        parts: [
          { type: 'step', model: 'm' },
          { type: 'text', partId: 'p', text: 'hello', open: false },
        ],
      },
      user('u2', 'look'),
    ]
    await run(
      {
        transformContext: async (messages) => {
          transcripts.push(messages.slice())
          return messages
        },
      },
      [calls, done],
      { history, tools: [{ ...looking, inputSchema: schema }] },
    )

    expect(transcripts.map(rolesOf)).toEqual([
      ['system', 'user', 'assistant', 'user'],
      ['system', 'user', 'assistant', 'user', 'assistant', 'toolResult'],
    ])
    expect(transcripts[1]?.[0]).toMatchObject({
      content: 'You are tested.',
      toolsAdded: [{ ...looking, parameters: schema }],
    })
    expect(transcripts[1]?.slice(-2)).toMatchObject([
      { content: [{ type: 'toolCall', name: 'look', arguments: { at: 1 } }] },
      { content: [{ type: 'text', text: 'outcome of look' }], isError: false },
    ])
  })

  it('are what `transformContext` returns, while the transcript stays unchanged', async () => {
    const rig = await run(
      {
        transformContext: async (messages) => [
          ...messages.filter(({ role }) => role !== 'assistant' && role !== 'toolResult'),
          { role: 'user', content: 'Be brief.', timestamp: 0 },
        ],
      },
      [calls, done],
    )

    expect(rig.roles).toEqual([
      ['system', 'user', 'user'],
      ['system', 'user', 'user'],
    ])
    expect(rig.prompts[1]).toContain('Be brief.')
    expect(rig.prompts[1]).not.toContain('outcome of look')
  })

  it('take instructions and tools from `transformContext`', async () => {
    const rig = await run(
      {
        transformContext: async ([, ...rest]) => [
          { role: 'system', content: 'You are somebody else.', timestamp: 0 },
          ...rest,
        ],
      },
      [done],
    )

    expect(rig.requests[0]?.prompt[0]).toEqual({ role: 'system', content: 'You are somebody else.' })
    expect(rig.requests[0]).not.toHaveProperty('tools')
  })

  it('keep signatures and files when a hook copies every message', async () => {
    const providerMetadata = { test: { signature: 'sig' } }
    const file = {
      type: 'file',
      url: 'data:application/pdf;base64,JVBERi0=',
      mediaType: 'application/pdf',
    } as const
    const script: Step[] = [
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
        { type: 'reasoning-end', id: 'r', providerMetadata },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'So.' },
        { type: 'text-end', id: 't', providerMetadata: { test: { itemId: 'item-1' } } },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"at":1}', providerMetadata },
        finish('tool-calls'),
      ],
      done,
    ]
    const history: Message[] = [{ role: 'user', id: 'u', parts: [{ ...file, filename: 'a.pdf' }] }]
    const copied = await run({ transformContext: async (messages) => structuredClone(messages) }, script, {
      history,
    })
    const plain = await run({}, script, { history })

    expect(copied.requests.map(({ prompt }) => prompt)).toEqual(plain.requests.map(({ prompt }) => prompt))
    expect(copied.prompts[1]).toContain('"signature":"sig"')
    expect(copied.prompts[1]).toContain('item-1')
    expect(copied.prompts[1]).toContain('a.pdf')
  })

  it('receive messages of the user during the run as steering', async () => {
    const transcripts: AgentMessage[][] = []
    const joinedMessages = [[], [user('u2', 'and this?')], []]
    await run(
      {
        transformContext: async (messages) => {
          transcripts.push(messages.slice())
          return messages
        },
      },
      [calls, done],
      { userMessages: () => joinedMessages.shift() ?? [] },
    )

    expect(rolesOf(transcripts[1] ?? [])).toEqual(['system', 'user', 'assistant', 'toolResult', 'user'])
    expect(transcripts[1]?.at(-1)).toMatchObject({ content: [{ type: 'text', text: 'and this?' }] })
  })

  it('are not sent if the run is stopped while a hook changes them', async () => {
    const rig = await run(
      {
        transformContext: async (messages) => {
          await new Promise(setImmediate)
          return messages
        },
      },
      [done],
      {
        userMessages: ({ abort }) => {
          setImmediate(abort)
          return []
        },
      },
    )

    expect(rig.error).toBeUndefined()
    expect(rig.requests).toEqual([])
    expect(rig.events).toEqual([])
  })
})
