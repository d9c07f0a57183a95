import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../../packages/dragoman/src/index.ts'
import { calls, linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { builds, openChat, textOf } from './sdk-chat.ts'

const table = defineTool({
  name: 'table',
  description: 'Returns a large table.',
  inputSchema: z.object({}),
  execute: () => ({
    rows: Array.from({ length: 3000 }, (_, id) => ({ id, name: 'n', price: 1, tags: [1, 2] })),
  }),
  toModelOutput: () => ({ type: 'text', value: 'There it is.' }),
})

describe.each(Object.entries(builds))(
  'a conversation with large tables, of the AI SDK client %s',
  (_, load) => {
    it('goes on after more outcomes of tools than a body may have values', async () => {
      const asks = [step(calls('c1', 'table', {})), step(says('Look.'))]
      const { models, prompts } = scriptedModel([...asks, ...asks, ...asks, ...asks, step(says('Gladly.'))])
      await using server = await openServer({ models, tools: [table] })
      const chat = openChat(await load(), { url: server.url, id: 'chat-1' })
      for (const text of ['One', 'Two', 'Three', 'Four']) await chat.sendMessage({ text })

      expect(JSON.stringify(chat.messages).split(',').length).toBeGreaterThan(50_000)
      await chat.sendMessage({ text: 'Thanks' })

      expect(chat.status).toBe('ready')
      expect(chat.messages.map(textOf)).toEqual(
        ['One', 'Two', 'Three', 'Four'].flatMap((text) => [text, 'Look.']).concat('Thanks', 'Gladly.'),
      )
      // The server knows what the client's request had no room for.
      expect(linesOf(prompts.at(-1)).filter((line) => line.startsWith('user: '))).toEqual(
        ['One', 'Two', 'Three', 'Four', 'Thanks'].map((text) => `user: ${text}`),
      )
    })
  },
)
