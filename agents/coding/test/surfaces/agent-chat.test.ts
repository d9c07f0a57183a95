import { once } from 'node:events'

import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type Json, type Tool } from '../../../../packages/dragoman/src/index.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, linesOf, says, scriptedModel, step, thinks } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { agentEvents } from '../../src/protocols/agent-events/index.ts'
import type { Surface } from 'dragoman/modules'
import { agentChat } from '../../src/agent-chat/agent-chat.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.string() }),
  async execute({ at }, call) {
    call.progress({ delta: 'looking' })
    if (at === 'nothing') throw new Error('There is nothing at /home/ada/secret.')
    return toolResult({ output: { at }, text: `Seen: ${at}.` })
  },
})

const surface: Surface = {
  path: '/api/agent-chat',
  routes: (server) => agentChat({ ...server, agent: 'coding', protocol: agentEvents }),
}

/** Works until it is told to stop, and says so. */
function working() {
  const began = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const tool = defineTool({
    name: 'work',
    description: 'Works on.',
    inputSchema: z.object({}),
    async execute(_input, { signal }) {
      began.resolve()
      await once(signal, 'abort')
      stopped.resolve()
      return toolResult({ output: null, text: 'Stopped.' })
    },
  })
  return { tool, began: began.promise, stopped: stopped.promise }
}

describe.each(['pi', 'default'])('the agent chat, driven by %s,', (engine) => {
  const opened = async (tools: readonly Tool[] = [look], users?: readonly string[]) => {
    const model = scriptedModel()
    const server = await openServer({
      ...model,
      tools,
      agent: { id: 'coding', engine },
      capability: { surfaces: [surface], protocols: [agentEvents] },
      ...(users && { users, flags: ['--require-token'] }),
    })
    const ask = (
      message: string,
      more: Record<string, Json> = {},
      options: RequestInit = {},
    ): Promise<Response> =>
      fetch(`${server.url}/api/agent-chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message, workDir: '/work', ...more }),
        ...options,
      })
    const statusOf = async (answer: Response): Promise<unknown> => {
      const { body } = await client(server).json('GET', `/v1/runs/${answer.headers.get('x-run-id')}`)
      return (body as { run: { status: string } }).run.status
    }
    return { model, server, ask, statusOf }
  }

  it('streams its frames and accepts them as the history of the next request', async () => {
    const { model, server, ask } = await opened()
    await using _ = server
    model.play([
      step(thinks('Let me ', 'see.'), says('I look.'), calls('c1', 'look', { at: 'a.ts' })),
      step(calls('c2', 'look', { at: 'nothing' })),
      step(says('There ', 'it is.')),
      step(says('As I said.')),
    ])
    const answer = await ask('你看看')
    const frames = framesOf(await reading(answer).whole())

    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': expect.stringContaining('no-cache'),
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    })
    expect(answer.headers.has('x-conversation-id')).toBe(false)
    const types = frames.map(({ type }) => type)
    expect([types[0], types.at(-1)]).toEqual(['agent_start', 'complete'])
    expect(types.filter((type) => type === 'complete')).toHaveLength(1)
    expect(frames).toContainEqual(expect.objectContaining({ type: 'tool_use', toolInput: { at: 'a.ts' } }))
    const results = frames.filter(({ type }) => type === 'tool_result')
    // The tool's own words, without the paths of the server.
    expect(results).toMatchObject([
      { content: 'Seen: a.ts.', isError: false },
      { content: expect.stringMatching(/^There is nothing at \[path\]/), isError: true },
    ])

    const { messages } = frames.at(-1) as { messages: Json }
    await (await ask('And?', { history: messages })).text()
    expect(linesOf(model.prompts[3])).toEqual([
      'user: 你看看',
      'assistant: I look. [look]',
      'tool: [look]',
      'assistant: [look]',
      'tool: [look]',
      'assistant: There it is.',
      'user: And?',
    ])
  })

  it('continues while another reader follows it', async () => {
    const held = gate()
    const { model, server, ask, statusOf } = await opened()
    await using _ = server
    model.play([step(says('One', held, ' two.'))])
    const abort = new AbortController()
    const answer = await ask('go', {}, { signal: abort.signal })
    await held.reached
    const run = answer.headers.get('x-run-id')
    const follower = reading(await fetch(`${server.url}/v1/runs/${run}/events?protocol=agent-events`))
    await follower.until('One')
    abort.abort()
    // The server has heard of it once another has been served.
    await expect(reading(answer).whole()).rejects.toThrow()
    await (await fetch(`${server.url}/health`)).text()
    held.open()

    expect((await follower.whole()).toString()).toContain(' two.')
    expect(await statusOf(answer)).toBe('finished')
  })

  it.each(['signal', 'body'])(
    'ends on another server when its caller leaves, signaled by the %s',
    async (by) => {
      const { tool, began, stopped } = working()
      const { model, server, statusOf } = await opened([tool])
      await using _ = server
      model.play([step(calls('c1', 'work', {}))])
      const abort = new AbortController()
      const answer = await server.fetch(
        new Request('http://127.0.0.1/api/agent-chat', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ message: 'go', workDir: '/work' }),
          signal: abort.signal,
        }),
      )
      await began
      if (by === 'signal') abort.abort()
      else await answer.body?.cancel()

      await stopped
      await expect.poll(() => statusOf(answer), { interval: 5 }).toBe('cancelled')
    },
  )

  it('separates concurrent requests', async () => {
    const { model, server, ask } = await opened()
    await using _ = server
    const echo = (prompt: Parameters<typeof linesOf>[0]) => step(says(`<${linesOf(prompt).at(-1)}>`))
    model.play(Array.from({ length: 12 }, () => echo))

    const answers = await Promise.all(Array.from({ length: 12 }, (_none, n) => ask(`number ${n}`)))
    const texts = await Promise.all(answers.map((answer) => answer.text()))

    expect(new Set(answers.map(({ headers }) => headers.get('x-run-id'))).size).toBe(12)
    for (const [n, text] of texts.entries()) {
      expect(text).toContain(`<user: number ${n}>`)
      expect(new Set(text.match(/number \d+/g))).toEqual(new Set([`number ${n}`]))
    }
  })

  it('is in no list, and hidden from other users', async () => {
    const { model, server } = await opened([look], ['ada', 'ben'])
    await using _ = server
    model.play([step(says('Quite private.'))])
    const as = (user: string) => ({ authorization: `Bearer ${server.token(user)}` })
    const { get, post } = client(server)
    const answer = await post('/api/agent-chat', { message: 'a secret', workDir: '/work' }, as('ada'))
    await answer.text()
    const run = `/v1/runs/${answer.headers.get('x-run-id')}`

    for (const path of ['/v1/threads', '/coding/chat/conversations', '/v1/search?q=secret'])
      expect(await (await get(path, as('ada'))).text()).not.toMatch(/secret|once_|Quite/)
    expect(await (await get(run, as('ada'))).text()).toContain('Quite private.')
    expect((await get(run, as('ben'))).status).toBe(404)
    expect((await post(`${run}/stop`, {}, as('ben'))).status).toBe(404)
    const { run: row } = (await (await get(run, as('ada'))).json()) as { run: { threadId: string } }
    expect((await get(`/v1/threads/${row.threadId}/messages`, as('ada'))).status).toBe(404)
  })

  it('reports that the server closes', async () => {
    const held = gate()
    const { model, server, ask } = await opened()
    model.play([step(says('One', held))])
    const answer = reading(await ask('go'))
    await answer.until('One')
    const closed = server[Symbol.asyncDispose]()

    expect(framesOf(await answer.whole()).slice(-2)).toMatchObject([
      { type: 'error', code: 'interrupted' },
      { type: 'complete' },
    ])
    await closed
  })
})
