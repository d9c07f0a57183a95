import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { ToolContext } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { elicitations } from './elicitation.ts'
import { call, everything, openFeature } from './mcp.fixture.ts'
import { rawServer } from './raw-server.fixture.ts'

describe('the elicitation of an MCP server', () => {
  let at: ReturnType<typeof openFeature>
  beforeAll(async () => {
    at = openFeature({ everything })
    await vi.waitFor(async () => expect((await at.offered()).tools.length).toBeGreaterThan(0), 30_000)
  })
  afterAll(() => at[Symbol.asyncDispose]())

  const run = async (
    ask: (question: Parameters<ToolContext['ask']>[0]) => Promise<unknown>,
  ): Promise<string> => {
    const tool = await at.tool('everything_trigger-elicitation-request')
    return (await tool.execute({}, { ...call(), ask: ask as ToolContext['ask'] })).text
  }

  it('asks the user of its call, in place, and gets the form', async () => {
    const questions: unknown[] = []
    const text = await run(async (question) => {
      questions.push(question)
      return { name: 'Ada', check: true }
    })

    expect(questions).toMatchObject([
      { message: expect.stringMatching(/^everything asks: /), schema: { type: 'object' }, inPlace: true },
    ])
    expect(text).toContain('Ada')
  })

  it.each([
    ['decline', 'denied'],
    ['cancel', 'aborted'],
  ] as const)('gets %s where the question ends as %s', async (action, code) => {
    expect(await run(() => Promise.reject(new ServiceError(code, 'No.')))).toContain(`"action": "${action}"`)
  })

  it('asks with an empty form where the server has none', async () => {
    const acme = rawServer({
      list: `{ tools: [tool('go')] }`,
      before: `let asked
        process.stdin.on('data', (data) => {
          if (data.includes('"go on"')) write({ id: asked.id, result: { content: JSON.parse(data).result.action } })
        })`,
      call: `void (asked = m, write({ id: 'go on', method: 'elicitation/create', params: { message: 'Go on?' } }))`,
    })
    await using server = openFeature({ acme })
    const questions: unknown[] = []
    const ask = async (question: unknown) => (questions.push(question), {})
    const { text } = await (
      await server.tool('acme_go')
    ).execute({}, { ...call(), ask: ask as ToolContext['ask'] })

    expect(text).toBe('accept')
    expect(questions).toEqual([
      { message: 'acme asks: Go on?', schema: { type: 'object', properties: {} }, inPlace: true },
    ])
  })

  it('is cancelled where several calls run: it may be that of another user', async () => {
    const { running, elicit } = elicitations()
    const question = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } as const
    expect(await elicit(question)).toEqual({ action: 'cancel' })
    running.add(async () => ({ action: 'decline' }))
    expect(await elicit(question)).toEqual({ action: 'decline' })
    running.add(async () => ({ action: 'accept' }))
    expect(await elicit(question)).toEqual({ action: 'cancel' })
  })
})
