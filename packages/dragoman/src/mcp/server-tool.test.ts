import { describe, expect, it } from 'vitest'

import { inputSchemaOf } from '../agents/index.ts'
import { accepts, testApprovalContext } from '../agents/tool.fixture.ts'
import { readTools } from './read-tools.ts'
import { parseServers, type Approval } from './server-config.ts'
import type { ServerConnection } from './server-connection.ts'
import { schemaChecker, serverTool, toolName, withOwnNames } from './server-tool.ts'

const noConnection = (): ServerConnection => {
  throw new Error('This test has no user.')
}

async function made(tool: object, approval: Approval = 'writes') {
  const [server] = parseServers({ notes: { command: 'node', approval } }, 'config.yaml')
  if (!server) throw new Error('It is configured.')
  const [listed] = readTools([{ name: 'read', inputSchema: { type: 'object' }, ...tool }]).tools
  if (!listed) throw new Error('It can be used.')
  return serverTool(listed, { server, checker: await schemaChecker(), connection: noConnection })
}

describe('the name of an MCP tool', () => {
  it('joins the names of server and tool if models accept the result', () => {
    expect(toolName('notes', 'read-all_2')).toBe('notes_read-all_2')
  })

  it('ends in a hash if it had to be changed, so that names stay unique', () => {
    const long = 'x'.repeat(100)
    const tools = ['read.all', 'read all', 'read/all', '读', '写', long, `${long}y`]

    const names = tools.map((tool) => toolName('notes', tool))

    expect(new Set(names).size).toBe(tools.length)
    for (const name of names) expect(name).toMatch(/^notes_[\w-]{1,58}$/)
  })
})

describe('the names of the tools of several MCP servers', () => {
  it('are distinct, and the first keeps its name', async () => {
    const tool = async (name: string, tools: string) => ({ ...(await made({ name: tools })), name })
    const first = await tool('git_hub_read', 'first')
    const second = await tool('git_hub_read', 'second')

    const tools = withOwnNames([
      { server: 'git', tools: [first, await tool('git_see', 'see')] },
      { server: 'git_hub', tools: [second] },
    ])

    expect(tools.map(({ name }) => name)).toEqual([
      'git_hub_read',
      'git_see',
      expect.stringMatching(/^git_hub_read_[0-9a-f]{8}$/),
    ])
    expect(tools[2]).toEqual({ ...second, name: tools[2]?.name })
  })

  it('are those of servers whose names begin with the name of another', () => {
    const servers = parseServers({ git: { command: 'node' }, git_hub: { command: 'node' } }, 'config.yaml')

    expect(servers.map(({ name }) => name)).toEqual(['git', 'git_hub'])
  })
})

describe('an MCP tool', () => {
  it.each<[Approval, object, boolean]>([
    ['writes', {}, true],
    ['writes', { readOnlyHint: false }, true],
    ['writes', { readOnlyHint: true }, false],
    ['always', { readOnlyHint: true }, true],
    ['never', {}, false],
  ])('whose approval is %s, and that says %j, asks: %s', async (approval, annotations, asks) => {
    expect((await made({ annotations }, approval))?.needsApproval({}, testApprovalContext)).toBe(asks)
  })

  it('skips a schema that takes too long to check', async () => {
    const pattern = '^(a+)+$'
    const tool = await made({
      inputSchema: { type: 'object', properties: { at: { type: 'string', pattern } } },
    })

    expect(await accepts(tool, { at: 'b' })).toBe(false)
    expect(await accepts(tool, { at: `${'a'.repeat(60)}!` })).toBe(true)
    expect(await accepts(tool, { at: `${'a'.repeat(60)}!` })).toBe(true)
  })

  it('exposes the schema of its server in any dialect, without its identifiers', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://notes.example/read',
      type: 'object',
      properties: { at: { $ref: '#/$defs/place' } },
      $defs: { place: { type: 'string', pattern: '^/' } },
    }
    const [one, two] = [await made({ inputSchema }), await made({ inputSchema })]

    expect(one && (await inputSchemaOf(one))).toMatchObject({
      type: 'object',
      properties: { at: { $ref: '#/$defs/place' } },
      $defs: { place: { type: 'string', pattern: '^/' } },
    })
    expect(await accepts(two, { at: '/a' })).toBe(true)
    expect(await accepts(two, { at: 'a' })).toBe(false)
  })

  it('is one object for models, whatever its schema says at the top, and checks the input itself', async () => {
    const id = { properties: { id: { type: 'string' } }, required: ['id'] }
    const name = { properties: { name: { type: 'string' } }, required: ['name'] }
    const tool = await made({ inputSchema: { type: 'object', oneOf: [id, name] } })

    const schema = await inputSchemaOf(tool)
    expect(schema).not.toHaveProperty('oneOf')
    expect(schema).toMatchObject({ type: 'object', properties: { id: {}, name: {} } })
    expect(await accepts(tool, { id: 'a' })).toBe(true)
    expect(await accepts(tool, {})).toBe(false)
    expect(await accepts(tool, { id: 'a', name: 'b' })).toBe(false)
  })

  it('accepts any input if its schema cannot be compiled', async () => {
    const broken = await made({ inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } })

    expect(await accepts(broken, { a: 1 })).toBe(true)
  })

  it('does not show what the server was given when the server quotes it', async () => {
    const secret = 'correct horse battery staple'
    const [server] = parseServers(
      { notes: { command: 'node', env: { ACCESS: secret, MODE: 'fast' } } },
      'config.yaml',
    )
    const quoted = new Error(`${secret} and sk-ant-api03-SECRETSECRETSECRET are refused, fast`)
    const connection = {
      call: () => Promise.reject(Object.assign(quoted, { code: -32_000 })),
    }
    const [listed] = readTools([{ name: 'read' }]).tools
    const tool =
      server &&
      listed &&
      serverTool(listed, {
        server,
        checker: await schemaChecker(),
        connection: () => connection as unknown as ServerConnection,
      })

    await expect(
      tool?.execute({}, { ...testApprovalContext, signal: new AbortController().signal } as never),
    ).rejects.toThrow('The MCP server notes refuses the call: [key] and [key] are refused, fast')
  })
})
