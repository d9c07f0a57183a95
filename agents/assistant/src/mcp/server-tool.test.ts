import { describe, expect, it } from 'vitest'

import { inputSchemaOf } from 'dragoman/agents'
import { accepts, testApprovalContext } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import { readServers, type Approval } from './server-config.ts'
import type { ServerConnection } from './server-connection.ts'
import { schemaChecker, serverTool, toolName } from './server-tool.ts'

const noConnection = (): ServerConnection => {
  throw new Error('Nobody is asked here.')
}

async function made(tool: object, approval: Approval = 'writes') {
  const [server] = readServers({ notes: { command: 'node', approval } })
  if (!server) throw new Error('It is configured.')
  const whole = { name: 'read', inputSchema: { type: 'object' as const }, ...tool }
  return serverTool(whole, { server, checker: await schemaChecker(), connection: noConnection })
}

describe('the name of a server’s tool', () => {
  it('is its own behind its server’s, where models take that', () => {
    expect(toolName('notes', 'read-all_2')).toBe('notes_read-all_2')
  })

  it('is marked where it had to be changed: no two become one', () => {
    const long = 'x'.repeat(100)
    const tools = ['read.all', 'read all', 'read/all', '读', '写', long, `${long}y`]

    const names = tools.map((tool) => toolName('notes', tool))

    expect(new Set(names).size).toBe(tools.length)
    for (const name of names) expect(name).toMatch(/^notes_[\w-]{1,58}$/)
  })
})

describe('a server’s tool', () => {
  it.each<[Approval, object, boolean]>([
    ['writes', {}, true],
    ['writes', { readOnlyHint: false }, true],
    ['writes', { readOnlyHint: true }, false],
    ['always', { readOnlyHint: true }, true],
    ['never', {}, false],
  ])('whose approval is %s, and that says %j, asks: %s', async (approval, annotations, asks) => {
    expect((await made({ annotations }, approval))?.needsApproval({}, testApprovalContext)).toBe(asks)
  })

  it('is left out where it answers to no plain call, or its schema is too large', async () => {
    expect(await made({ execution: { taskSupport: 'required' } })).toBeUndefined()
    const properties = { a: { description: 'x'.repeat(40_000) } }
    expect(await made({ inputSchema: { type: 'object', properties } })).toBeUndefined()
  })

  it('is held to no schema that takes for ever: its server looks itself', async () => {
    const pattern = '^(a+)+$'
    const tool = await made({
      inputSchema: { type: 'object', properties: { at: { type: 'string', pattern } } },
    })

    expect(await accepts(tool, { at: 'b' })).toBe(false)
    expect(await accepts(tool, { at: `${'a'.repeat(60)}!` })).toBe(true)
    expect(await accepts(tool, { at: `${'a'.repeat(60)}!` })).toBe(true)
  })

  it('is told by its own schema, of whatever dialect, and names nothing in ours', async () => {
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

  it('takes anything its server may judge, where its schema cannot be read', async () => {
    const broken = await made({ inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } })

    expect(await accepts(broken, { a: 1 })).toBe(true)
  })
})
