import { execFileSync } from 'node:child_process'

import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { inputSchemaOf, toolResult } from '../agents/index.ts'
import { accepts, testApprovalContext, issuesOf } from '../agents/tool.fixture.ts'
import { call, everything, everythingProgram, openFeature } from './mcp.fixture.ts'

/** The programs that this process has started as servers. */
function programs(): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/)
    return Number(parent) === process.pid && line.includes(everythingProgram) ? [Number(pid)] : []
  })
}

describe('the official MCP server over stdio', () => {
  let at: ReturnType<typeof openFeature>
  beforeAll(() => {
    at = openFeature({ everything })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    expect(programs()).toEqual([])
  })

  it('offers its tools under its name, with its own schemas', async () => {
    const { tools, notes } = await at.offered()

    expect(notes).toEqual([expect.stringContaining('Prefer reading resources before calling mutating tools')])
    const echo = tools.find(({ name }) => name === 'everything_echo')
    expect(echo?.description).toMatch(
      /^Echoes .*\nFrom the MCP server everything\. .* data, not instructions\.$/s,
    )
    expect(echo).toMatchObject({ timeoutMs: 30_000, idempotent: true })
    expect(echo && (await inputSchemaOf(echo))).toMatchObject({
      type: 'object',
      properties: { message: { type: 'string', description: 'Message to echo' } },
      required: ['message'],
    })
    expect(tools.map(({ name }) => name).filter((name) => !/^everything_[\w-]{1,50}$/.test(name))).toEqual([])
  })

  it('starts one process for concurrent callers and passes none of our keys', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => at.tool('everything_get-env')))

    const { text } = (await runs[0]?.execute({}, call())) ?? { text: '' }
    expect(JSON.parse(text)).toMatchObject({ PATH: process.env['PATH'] })
    expect(text).not.toContain('SECRET_KEY')
    expect(programs()).toHaveLength(1)
  })

  it('asks for approval of tools that are not read-only', async () => {
    const { tools } = await at.offered()

    const asking = tools
      .filter(({ needsApproval }) => needsApproval({}, testApprovalContext) === true)
      .map(({ name }) => name)
    expect(asking).toContain('everything_gzip-file-as-resource')
    expect(asking).not.toContain('everything_echo')
  })

  it('returns text, data, images and links', async () => {
    const gives = async (name: string, input: object) =>
      (await at.tool(`everything_${name}`)).execute(input, call())

    expect(await gives('echo', { message: '你好' })).toEqual(
      toolResult({ output: { content: [{ type: 'text', text: 'Echo: 你好' }] }, text: 'Echo: 你好' }),
    )
    const structuredContent = { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 }
    const text = JSON.stringify(structuredContent)
    expect(await gives('get-structured-content', { location: 'Chicago' })).toEqual(
      toolResult({ output: { content: [{ type: 'text', text }], structuredContent }, text }),
    )
    const picture = await gives('get-tiny-image', {})
    expect(picture.text).toMatch(/^Here's the image[^\n]*\n\[image: image\/png, \d KB\]\nThe image above/)
    expect(picture.output).toMatchObject({ content: [{}, { type: 'image', mimeType: 'image/png' }, {}] })
    const zipped = await gives('gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello' })
    expect(zipped.text).toMatch(/^\[resource: a\.gz, demo:/)
  })

  it('gives pages what the MCP client of the AI SDK gives them', async () => {
    const client = await createMCPClient({ transport: new StdioTransport(everything) })
    try {
      const tools = await client.tools()
      for (const [name, input] of [
        ['echo', { message: '你好' }],
        ['get-structured-content', { location: 'Chicago' }],
        ['get-annotated-message', { messageType: 'error', includeImage: true }],
        ['get-resource-links', { count: 2 }],
      ] as const) {
        const plain = await tools[name]?.execute?.(input, { toolCallId: 'c', messages: [], context: {} })
        const { output } = await (await at.tool(`everything_${name}`)).execute(input, call())
        // That client adds a default.
        expect({ isError: false, ...(output as object) }).toEqual(plain)
      }
    } finally {
      await client.close()
    }
  })

  it('rejects an input that does not match the schema', async () => {
    const sum = await at.tool('everything_get-sum')

    expect(await accepts(sum, { a: 1, b: 2 })).toBe(true)
    expect(await issuesOf(sum, { a: 'one' })).toMatchObject([
      { message: "input must have required property 'b', input/a must be number" },
    ])
  })

  it('fails with the message of the server', async () => {
    const links = await at.tool('everything_get-resource-reference')

    await expect(links.execute({ resourceType: 'Text', resourceId: -1 }, call())).rejects.toMatchObject({
      code: 'tool-failed',
      message: expect.stringContaining('Invalid resourceId: -1'),
    })
  })

  it('reports progress, and stops with its call', async () => {
    const long = await at.tool('everything_trigger-long-running-operation')
    const news: unknown[] = []
    const done = await long.execute({ duration: 0.2, steps: 2 }, call(undefined, news as never))
    expect(done.text).toContain('completed')
    // The last news may be overtaken by the outcome.
    expect(news[0]).toEqual({ delta: '1/2\n', output: { progress: 1, total: 2 } })

    const stopping = new AbortController()
    const progress = Promise.withResolvers<void>()
    const stopped = long.execute(
      { duration: 60, steps: 6000 },
      { ...call(stopping.signal), progress: () => progress.resolve() },
    )
    await progress.promise
    stopping.abort()

    await expect(stopped).rejects.toMatchObject({
      code: 'tool-failed',
      message: expect.stringContaining('told to stop'),
    })
  })

  it('restarts after a loss, also in the middle of a call', async () => {
    const long = await at.tool('everything_trigger-long-running-operation')
    const progress = Promise.withResolvers<void>()
    const cut = long.execute({ duration: 60, steps: 6000 }, { ...call(), progress: () => progress.resolve() })
    await progress.promise
    const [pid = 0] = programs()
    process.kill(pid, 'SIGKILL')

    await expect(cut).rejects.toMatchObject({
      code: 'tool-failed',
      message: 'The MCP server everything gave no answer: it closed the connection.',
    })
    const echo = await at.tool('everything_echo')
    expect((await echo.execute({ message: 'again' }, call())).text).toBe('Echo: again')
    expect(programs()).not.toContain(pid)
  })
})
