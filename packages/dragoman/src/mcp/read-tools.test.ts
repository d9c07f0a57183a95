import { describe, expect, it } from 'vitest'

import { readTools } from './read-tools.ts'

const good = { name: 'good', description: 'Good.', inputSchema: { type: 'object' } }
const read = (...tools: unknown[]) => readTools([...tools, good])
const names = ({ tools }: ReturnType<typeof readTools>) => tools.map(({ name }) => name)
/** Nested so deep that nothing that recurs may read it. */
const deep = JSON.parse(`${'{"items":'.repeat(5000)}1${'}'.repeat(5000)}`) as unknown

describe('readTools', () => {
  it.each(['input_schema', 'parameters'])('reads a schema that is named %s, and says so', (field) => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const { tools, notes } = readTools([{ name: 'odd', description: 'Odd.', [field]: schema }])

    expect(tools[0]?.inputSchema).toEqual(schema)
    expect(notes).toEqual([`the tool "odd" is repaired: its inputSchema is named ${field}`])
  })

  it.each<[string, object, string]>([
    ['no schema', { inputSchema: undefined }, 'inputSchema is missing and no schema of an object'],
    ['no schema, but null', { inputSchema: null }, 'inputSchema is null and no schema of an object'],
    ['a schema that says nothing', { inputSchema: {} }, 'inputSchema.type is missing and not "object"'],
    ['a union', { inputSchema: { anyOf: [] } }, 'inputSchema.type is missing and not "object"'],
    ['a type of another language', { inputSchema: { type: 'OBJECT' } }, 'inputSchema.type is "OBJECT" and'],
    [
      'a list of types',
      { inputSchema: { type: ['object', 'null'] } },
      'inputSchema.type is ["object","null"]',
    ],
    ['an empty list', { inputSchema: { type: 'object', properties: [] } }, 'inputSchema.properties is []'],
    ['no list', { inputSchema: { type: 'object', required: true } }, 'inputSchema.required is true'],
    ['a description', { description: null }, 'description is null and no text'],
    ['an output schema', { outputSchema: { $id: 'x.v1' } }, 'outputSchema is no schema of an object'],
  ])('repairs a tool with %s, and says what was wrong', (_what, fields, reason) => {
    const found = read({ ...good, name: 'odd', ...fields })

    expect(names(found)).toEqual(['odd', 'good'])
    expect(found.tools[0]?.inputSchema).toMatchObject({ type: 'object', properties: {} })
    expect(found.notes).toEqual([expect.stringContaining(`the tool "odd" is repaired: ${reason}`)])
  })

  it.each<[string, unknown, string]>([
    ['no object', null, 'tool 1 of its list is left out: it is null and no object'],
    ['a list', [good], 'tool 1 of its list is left out: it is [{'],
    ['without a name', { inputSchema: {} }, 'tool 1 of its list is left out: name is missing and no text'],
    ['with a number as its name', { ...good, name: 7 }, 'tool 1 of its list is left out: name is 7'],
    ['with a blank name', { ...good, name: ' ' }, 'tool 1 of its list is left out: name is " "'],
    ['of a list', { ...good, name: 'odd', inputSchema: { type: 'array' } }, 'inputSchema.type is "array"'],
    ['with a text as its schema', { ...good, name: 'odd', inputSchema: 'x' }, 'inputSchema is "x"'],
    [
      'with no fields',
      { name: 'odd', inputSchema: { type: 'object', properties: 'a' } },
      'properties is "a"',
    ],
    ['that is too deep', { ...good, name: 'odd', inputSchema: deep }, 'it has more than 100 levels'],
    [
      'that is too large',
      { ...good, name: 'odd', inputSchema: { type: 'object', description: 'x'.repeat(40_000) } },
      'inputSchema has 40034 characters, more than 32000',
    ],
    [
      'that requires a task',
      { ...good, name: 'odd', execution: { taskSupport: 'required' } },
      'execution.taskSupport is "required"',
    ],
  ])('leaves out a tool that is %s, and says why', (_what, tool, reason) => {
    const found = read(tool)

    expect(names(found)).toEqual(['good'])
    expect(found.notes).toEqual([expect.stringContaining(reason)])
  })

  it('uses the first of two tools with one name, and says so unless they are the same', () => {
    const found = read(good, { ...good, description: 'Another.' })

    expect(found.tools).toMatchObject([{ name: 'good', description: 'Good.' }])
    expect(found.notes).toEqual(['a second tool "good" is left out: its name is taken'])
  })

  it('believes no hint that is not true', () => {
    const { tools } = read({ ...good, name: 'odd', annotations: { readOnlyHint: 'true', idempotentHint: 1 } })

    expect(tools[0]).toMatchObject({ name: 'odd', readOnly: false, idempotent: false })
    expect(read({ ...good, name: 'odd', annotations: null }).tools).toHaveLength(2)
  })

  it.each<[string, object]>([
    ['is not at a parameter', { region: { type: 'array', items: { type: 'string', 'x-mcp-header': 'R' } } }],
    ['is not the name of a header', { region: { type: 'string', 'x-mcp-header': 'My Region' } }],
    ['is at a parameter that is no text', { region: { type: 'number', 'x-mcp-header': 'R' } }],
    [
      'names a header twice',
      { a: { type: 'string', 'x-mcp-header': 'R' }, b: { type: 'string', 'x-mcp-header': 'r' } },
    ],
  ])('leaves out a tool whose header %s, where headers are sent', (fault, properties) => {
    const odd = { ...good, name: 'odd', inputSchema: { type: 'object', properties } }
    const right = { a: { type: 'object', properties: { b: { type: 'integer', 'x-mcp-header': 'B' } } } }
    const list = [odd, { ...good, inputSchema: { type: 'object', properties: right } }]

    expect(readTools(list, { sendsHeaders: true })).toMatchObject({
      tools: [{ name: 'good' }],
      notes: [expect.stringContaining(`the tool "odd" is left out: x-mcp-header ${fault}`)],
    })
    expect(readTools(list).tools).toHaveLength(2)
  })

  it('reads only the tools that are wanted', () => {
    expect(readTools([{ name: 'odd' }, null, good], { names: ['good'] })).toMatchObject({
      tools: [{ name: 'good' }],
      notes: [],
    })
  })
})
