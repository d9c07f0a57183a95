import { openai } from '@ai-sdk/openai'
import { expect, it } from 'vitest'

import { wireAgent, wordsOf } from './support/wire-agent.ts'
import { events, type Reply } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

const { begin = [], end = [] } = wireWords.find(({ api }) => api === 'responses') ?? {}
const { hello } = wordsOf('responses')
const item = (type: string, fields: object): string[] =>
  events({ type: `response.output_item.${type}`, output_index: 0, item: { id: 'it_1', ...fields } } as object)

const logs = [{ type: 'logs', logs: '42' }]
const code = { type: 'code_interpreter_call', container_id: 'cntr', code: 'print(42)', outputs: logs }
const search = {
  type: 'file_search_call',
  queries: ['x'],
  results: [{ file_id: 'f', filename: 'a.txt', score: 0.5, text: 'words', attributes: {} }],
}
const mcp = {
  type: 'mcp_call',
  server_label: 's',
  name: 't',
  arguments: '{"a":1}',
  output: 'found',
  error: null,
}
const codeEnd: object = {
  type: 'response.code_interpreter_call_code.done',
  output_index: 0,
  item_id: 'it_1',
  code: code.code,
}

const beginning = (fields: object): string[] => item('added', { ...fields, status: 'in_progress' })
const ending = (fields: object): string[] => item('done', { ...fields, status: 'completed' })
const CASES: readonly (readonly [string, string[], string])[] = [
  ['code interpreter', [...beginning({ ...code, code: '' }), ...events(codeEnd), ...ending(code)], '42'],
  [
    'code interpreter whose code has no end of its own',
    [...beginning({ ...code, code: '' }), ...ending(code)],
    '42',
  ],
  ['code interpreter that begins with its end', ending(code), '42'],
  ['file search', [...beginning({ ...search, queries: [] }), ...ending(search)], 'words'],
  ['MCP', [...beginning({ ...mcp, arguments: '' }), ...ending(mcp)], 'found'],
]
const tools = {
  run: openai.tools.codeInterpreter(),
  find: openai.tools.fileSearch({ vectorStoreIds: ['vs'] }),
}

it.each(CASES)(
  'what a tool of OpenAI has given goes back without its store: %s',
  async (_name, body, words) => {
    await using agent = await wireAgent('responses', { tools, model: 'first:gpt-5' })
    const answer: Reply = { body: [...begin, ...body, ...end] }

    const { log } = await agent.ask(answer)
    const [next] = (await agent.askAgain(hello)).bodies

    expect(log.filter(({ type }) => type === 'tool.returned')).toHaveLength(1)
    const { input } = next as { input: { type?: string; call_id?: string; output?: string }[] }
    const called = input.findIndex(({ type }) => type === 'function_call')
    expect(input[called + 1]).toMatchObject({ type: 'function_call_output', call_id: input[called]?.call_id })
    expect(input[called + 1]?.output).toContain(words)
    expect(JSON.stringify(input)).not.toContain('item_reference')
  },
)
