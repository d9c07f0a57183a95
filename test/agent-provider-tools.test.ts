import { anthropic } from '@ai-sdk/anthropic'
import { openai } from '@ai-sdk/openai'
import { jsonSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type AgentTools } from '../packages/dragoman/src/index.ts'
import { wireAgent, wordsOf, type Api } from './support/wire-agent.ts'
import { events, type Reply } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: () => 'One seen.',
})

/** As `google.tools.googleSearch({})` makes it. */
const googleSearch = {
  type: 'provider',
  id: 'google.google_search',
  args: {},
  isProviderExecuted: true,
  inputSchema: jsonSchema({ type: 'object' }),
}
const claude = {
  start: (index: number, block: object) =>
    events({ type: 'content_block_start', index, content_block: block } as object),
  delta: (index: number, delta: object) => events({ type: 'content_block_delta', index, delta } as object),
  stop: (index: number) => events({ type: 'content_block_stop', index } as object),
}
const found = {
  type: 'web_search_result',
  title: 'Oslo',
  url: 'https://example.com/oslo',
  encrypted_content: 'sealed',
  page_age: null,
}
const claudeWords = wireWords.find(({ api }) => api === 'anthropic')
const claudeSearch: Reply = {
  body: [
    ...(claudeWords?.begin ?? []),
    ...claude.start(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
    ...claude.delta(0, { type: 'input_json_delta', partial_json: '{"query":"Oslo"}' }),
    ...claude.stop(0),
    ...claude.start(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] }),
    ...claude.stop(1),
    ...claude.start(2, { type: 'text', text: '' }),
    ...claude.delta(2, { type: 'text_delta', text: 'Oslo is a city.' }),
    ...claude.stop(2),
    ...(claudeWords?.end ?? []).slice(1),
  ],
}
const item = {
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'Oslo' },
}
const responsesWords = wireWords.find(({ api }) => api === 'responses')
const openaiSearch: Reply = {
  body: [
    ...(responsesWords?.begin ?? []),
    ...events(
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress' },
      } as object,
      { type: 'response.output_item.done', output_index: 0, item } as object,
    ),
    ...(responsesWords?.text('Oslo is a city.') ?? []),
    ...(responsesWords?.end ?? []),
  ],
}

describe('a tool of a provider', () => {
  it.each<[Api, AgentTools, object, Reply]>([
    [
      'anthropic',
      { find: anthropic.tools.webSearch_20250305({ maxUses: 2 }) },
      { type: 'web_search_20250305', max_uses: 2 },
      claudeSearch,
    ],
    [
      'responses',
      { find: openai.tools.webSearch({ searchContextSize: 'low' }) },
      { type: 'web_search' },
      openaiSearch,
    ],
    ['google', { find: googleSearch }, { googleSearch: {} }, wordsOf('google').hello],
  ])('is offered over %s, and runs there', async (api, tools, form, reply) => {
    await using agent = await wireAgent(api, {
      tools,
      model: api === 'google' ? 'first:gemini-3-flash' : 'first:gpt-5',
    })

    const { log, bodies } = await agent.ask(reply)

    expect(JSON.parse(JSON.stringify(bodies[0]?.['tools']))).toEqual([expect.objectContaining(form)])
    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
    if (api === 'google') return
    expect(log).toContainEqual(expect.objectContaining({ type: 'tool.called', tool: 'find', by: 'provider' }))
    expect(log).toContainEqual(expect.objectContaining({ type: 'tool.returned', by: 'provider' }))
    expect(log.some(({ type }) => type === 'tool.executing')).toBe(false)
  })

  it('is not offered to other providers, and goes along with tools of this server', async () => {
    const tools = { look, find: anthropic.tools.webSearch_20250305() }
    await using agent = await wireAgent('anthropic', { tools })

    const { bodies } = await agent.ask({ status: 503, body: ['{}'] }, wordsOf('chat').hello)

    expect(bodies[0]?.['tools']).toMatchObject([{ name: 'look' }, { type: 'web_search_20250305' }])
    expect(bodies[1]?.['tools']).toMatchObject([{ type: 'function', function: { name: 'look' } }])
  })

  it('fails with a reason if its provider asks for an approval', async () => {
    await using agent = await wireAgent('responses', { model: 'first:gpt-5' })
    const request = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'pay', server_label: 'bank' }
    const ask = (type: string, json: string) =>
      events({ type, output_index: 0, item: { ...request, arguments: json } } as object)

    const { log } = await agent.ask({
      body: [
        ...(responsesWords?.begin ?? []),
        ...ask('response.output_item.added', '{}'),
        ...ask('response.output_item.done', '{"n":1}'),
        ...(responsesWords?.end ?? []).slice(1),
      ],
    })

    expect(log.at(-1)).toMatchObject({
      type: 'run.failed',
      failure: { code: 'model-refused', message: expect.stringContaining('asks for an approval') },
    })
  })

  it('runs on this server if it has to', async () => {
    const commands: unknown[] = []
    const bash = anthropic.tools.bash_20250124({
      execute: async ({ command }) => {
        commands.push(command)
        return 'files'
      },
    })
    await using agent = await wireAgent('anthropic', { tools: { bash } })
    const call: Reply = {
      body: [
        ...(claudeWords?.begin ?? []),
        ...claude.start(0, { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }),
        ...claude.delta(0, { type: 'input_json_delta', partial_json: '{"command":"ls"}' }),
        ...(claudeWords?.end ?? []),
      ],
    }

    const { log, bodies } = await agent.ask(call, wordsOf('anthropic').hello)

    expect(bodies[0]?.['tools']).toMatchObject([{ type: 'bash_20250124', name: 'bash' }])
    expect(commands).toEqual(['ls'])
    expect(log).toContainEqual(expect.objectContaining({ type: 'tool.returned', text: 'files' }))
  })
})
