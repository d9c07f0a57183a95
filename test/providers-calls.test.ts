import { afterAll, beforeAll, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const chunk = (calls: readonly object[], finish: string | null = null): string[] =>
  events({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: finish }] } as object)
const piece = (index: number, name: string | undefined, json: string) =>
  chunk([{ index, id: `call_${index}`, function: { ...(name !== undefined && { name }), arguments: json } }])
const look = { tool: 'look', input: '{"at":1}' }

it.each<[string, string[], object[]]>([
  [
    'pieces that are counted as calls',
    [...piece(0, 'look', ''), ...piece(1, '', '{"at"'), ...piece(2, '', ':1}')],
    [look],
  ],
  [
    'the same, of two calls',
    [
      ...piece(0, 'look', '{"at"'),
      ...piece(1, undefined, ':1}'),
      ...piece(2, 'find', ''),
      ...piece(3, '', '{"of":"}"'),
      ...piece(4, '', '}'),
    ],
    [look, { tool: 'find', input: '{"of":"}"}' }],
  ],
  [
    'two calls at once, of which one is named later',
    [...piece(0, 'look', '{"at":1}'), ...piece(1, undefined, '{"of":2}'), ...piece(1, 'find', '')],
    [look, { tool: 'find', input: '{"of":2}' }],
  ],
])('makes calls of %s', async (_what, body, calls) => {
  provider.play({ body: [...body, ...chunk([], 'tool_calls')] })

  const answer = await askModel(provider.url, 'chat')

  expect({ calls: answer.calls, error: answer.error }).toEqual({ calls, error: undefined })
})
