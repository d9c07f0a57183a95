import { tool, type AbstractChat, type ToolSet, type UIMessage } from 'ai'
import { expect } from 'vitest'
import { z } from 'zod'

import { gate } from '../support/gate.ts'
import { calls, ends, refuses, says, step, thinks, type Script } from '../support/scripted-model.ts'

type Chat = AbstractChat<UIMessage>
/** What a chat does, and what the model answers. */
export type Scene = {
  readonly script: () => Script
  /** Default: one message. */
  readonly play?: (chat: Chat) => Promise<unknown>
  /** For parts that clients before version 7 refuse. */
  readonly options?: { readonly profile?: 'v7' }
}

const anything = z.object({})
const description = 'Helps.'
const OUTPUTS = [{ city: 'Oslo', celsius: 21 }, [1, { two: 2 }], 0, false, '多云', '', null, undefined]
const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
const search = { toolCallId: 'w1', toolName: 'web_search' } as const
const held = gate()

export const tools: ToolSet = {
  ...Object.fromEntries(
    OUTPUTS.map((output, index) => [
      `give${index}`,
      tool({ description, inputSchema: anything, execute: async () => output }),
    ]),
  ),
  add: tool({
    description,
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => ({ sum: a + b }),
  }),
  fail: tool({
    description,
    inputSchema: anything,
    execute: async (): Promise<string> => {
      throw new Error('It broke.')
    },
  }),
  count: tool({
    description,
    inputSchema: anything,
    async *execute() {
      yield { done: 1 }
      yield { done: 2 }
    },
  }),
  apply: tool({ description, inputSchema: anything, needsApproval: true, execute: async () => 'Applied.' }),
  locate: tool({ description, inputSchema: anything, outputSchema: anything }),
  web_search: {
    type: 'provider',
    id: 'scripted.web_search',
    args: {},
    inputSchema: z.object({ query: z.string() }),
    isProviderExecuted: true,
  } as unknown as ToolSet[string],
}

export const ask = (words: string) => (chat: Chat) => chat.sendMessage({ text: words })
const callOf = (chat: Chat, name: string) =>
  chat.messages.at(-1)?.parts.find(({ type }) => type === `tool-${name}`) as {
    readonly toolCallId: string
    readonly approval: { readonly id: string }
  }
const ready = async (chat: Chat, words: string) =>
  expect
    .poll(() => [chat.status, JSON.stringify(chat.messages)])
    .toEqual(['ready', expect.stringContaining(words)])
const decide = (approved: boolean, reason?: string) => async (chat: Chat) => {
  await chat.sendMessage({ text: 'Apply.' })
  const id = callOf(chat, 'apply').approval.id
  await chat.addToolApprovalResponse({ id, approved, ...(reason !== undefined && { reason }) })
  await ready(chat, 'Done.')
}
const give = (output: object) => async (chat: Chat) => {
  await chat.sendMessage({ text: 'Where?' })
  const { toolCallId } = callOf(chat, 'locate')
  await chat.addToolOutput({ tool: 'locate', toolCallId, ...output } as never)
  await ready(chat, 'Done.')
}

export const scenes: Readonly<Record<string, Scene>> = {
  'a text': { script: () => [step(says('One ', 'two.'))] },
  'texts and thoughts': {
    script: () => [step(thinks('Hm.', ' So.'), says('A.'), thinks('And?'), says('B.'))],
  },
  'two turns': {
    script: () => [step(says('One.')), step(says('Two.'))],
    play: async (chat) => {
      await ask('First.')(chat)
      await ask('Second.')(chat)
    },
  },
  'the end of a text that is too long': { script: () => [step(says('One'), ends('length'))] },
  'an end by a filter': { script: () => [step(says('One'), ends('content-filter'))] },
  ...Object.fromEntries(
    OUTPUTS.map((output, index) => [
      `the output ${JSON.stringify(output)} of a tool`,
      { script: () => [step(says('Look.'), calls('c1', `give${index}`, {})), step(says('Done.'))] },
    ]),
  ),
  'two tools at once': {
    script: () => [
      step(calls('c1', 'add', { a: 1, b: 2 }), calls('c2', 'add', { a: 3, b: 4 })),
      step(says('Done.')),
    ],
  },
  'a tool that fails': { script: () => [step(calls('c1', 'fail', {})), step(says('Done.'))] },
  'a tool that yields': { script: () => [step(calls('c1', 'count', {})), step(says('Done.'))] },
  'an approval': { script: () => [step(calls('c1', 'apply', {})), step(says('Done.'))], play: decide(true) },
  'a refusal': {
    script: () => [step(calls('c1', 'apply', {})), step(says('Done.'))],
    play: decide(false, 'Too far.'),
  },
  'a tool of the page': {
    script: () => [step(calls('c1', 'locate', {})), step(says('Done.'))],
    play: give({ output: { lat: 60 } }),
  },
  'a tool of the page that returns nothing': {
    script: () => [step(calls('c1', 'locate', {})), step(says('Done.'))],
    play: give({ output: undefined }),
  },
  'a tool of the page that fails': {
    script: () => [step(calls('c1', 'locate', {})), step(says('Done.'))],
    play: give({ state: 'output-error', errorText: 'No signal.' }),
  },
  sources: {
    script: () => [
      step(says('So.'), [
        { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com/a', title: 'A' },
        {
          type: 'source',
          sourceType: 'document',
          id: 's2',
          mediaType: 'application/pdf',
          title: 'B',
          filename: 'b.pdf',
        },
      ]),
    ],
  },
  'files that a model makes': {
    options: { profile: 'v7' },
    script: () => [
      step(says('There.'), [
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
        { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: png } },
      ]),
    ],
  },
  'a tool of the provider': {
    script: () => [
      step(
        [
          { type: 'tool-call', ...search, input: '{"query":"a"}', providerExecuted: true },
          { type: 'tool-result', ...search, result: { hits: [1] } },
        ],
        says('Found.'),
      ),
    ],
  },
  'a part that only its provider understands': {
    options: { profile: 'v7' },
    script: () => [
      step(
        [{ type: 'custom', kind: 'scripted.note', providerMetadata: { scripted: { content: 'abc' } } }],
        says('So.'),
      ),
    ],
  },
  'another answer': {
    script: () => [step(says('One.')), step(says('Two.'))],
    play: async (chat) => {
      await ask('First.')(chat)
      await chat.regenerate()
    },
  },
  'a message that is changed': {
    script: () => [step(says('One.')), step(says('Two.'))],
    play: async (chat) => {
      await ask('First.')(chat)
      await chat.sendMessage({ text: 'Changed.', messageId: chat.messages[0]?.id as string })
    },
  },
  'a picture': {
    script: () => [step(says('Nice.'))],
    play: (chat) =>
      chat.sendMessage({
        text: 'See.',
        files: [{ type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${png}` }],
      }),
  },
  'a stop': {
    script: () => [step(says('One', held, ' two.'))],
    play: async (chat) => {
      const sending = chat.sendMessage({ text: 'Go.' })
      await expect.poll(() => JSON.stringify(chat.messages)).toContain('One')
      await chat.stop()
      await sending
    },
  },
  'a model that fails': { script: () => [refuses(new Error('overloaded'))] },
}
