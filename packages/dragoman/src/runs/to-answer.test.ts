import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../agents/index.ts'
import type { Json } from '../events/index.ts'
import { toAnswer } from './to-answer.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number().max(100) }),
  execute: () => 'Paid.',
})

const call = { tool: pay, userId: 'ada' }

describe('an approval', () => {
  it.each<[Json, object]>([
    [true, { approved: true }],
    [
      { approved: false, reason: 'No.' },
      { approved: false, reason: 'No.' },
    ],
    [
      { approved: true, editedArgs: { amount: 8 } },
      { approved: true, input: { amount: 8 } },
    ],
    [
      { approved: true, input: { amount: 8 } },
      { approved: true, input: { amount: 8 } },
    ],
  ])('is read from the output %j', async (output, verdict) => {
    expect(await toAnswer({ kind: 'approval' }, { kind: 'output', output }, call)).toEqual({
      kind: 'approval',
      ...verdict,
    })
  })

  it.each<[Json, string]>([
    [{ approved: true, args: { amount: 8 } }, 'answer.args: there is no such field'],
    [{ approved: true, args: { amount: 8 } }, 'Edited arguments are in editedArgs.'],
    [{ approved: true, editedArgs: { amount: 8 }, extra: 1 }, 'answer.extra: '],
    [{ approved: true, editedArgs: { amount: 800 } }, 'answer.input: '],
    [{ accepted: true }, 'waits for an approval'],
  ])('is never read from %j, of which a part would be ignored', async (output, message) => {
    await expect(toAnswer({ kind: 'approval' }, { kind: 'output', output }, call)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining(message),
    })
  })

  it('of an input equal to that of the call changes nothing', async () => {
    const equal = { ...call, input: { amount: 8, to: ['a'] } }
    const answer = { kind: 'approval', approved: true, input: { to: ['a'], amount: 8 } } as const

    expect(await toAnswer({ kind: 'approval' }, answer, equal)).toEqual({ kind: 'approval', approved: true })
  })
})

describe('an answer to a question with a schema of a stranger', () => {
  const ofStranger = { tool: undefined, userId: 'ada' }
  /** Each level has two ways to the next one. */
  const branches = Object.fromEntries(
    Array.from({ length: 30 }, (_none, level) => {
      const next = level === 29 ? { type: 'number' } : { $ref: `#/$defs/level${level + 1}` }
      return [`level${level}`, { anyOf: [next, next] }]
    }),
  )
  const HARD: [string, Json, Json][] = [
    [
      'a pattern',
      { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } },
      { x: `${'a'.repeat(40)}!` },
    ],
    [
      'patterns of names',
      { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } },
      { [`${'a'.repeat(40)}!`]: 1 },
    ],
    [
      'many branches',
      { $defs: branches, type: 'object', properties: { x: { $ref: '#/$defs/level0' } } },
      { x: 'text' },
    ],
  ]

  it.each(HARD)('is refused where it takes too long to check: %s', async (_name, schema, value) => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 10)
    const refused = { code: 'invalid-request', message: expect.stringContaining('takes too long') }
    const approval = { kind: 'approval', approved: true, input: value } as const
    await expect(toAnswer({ kind: 'approval', schema }, approval, ofStranger)).rejects.toMatchObject(refused)
    const form = { kind: 'form', output: value } as const
    await expect(toAnswer({ kind: 'form', schema }, form, ofStranger)).rejects.toMatchObject(refused)
    clearInterval(counting)

    expect(turns).toBeGreaterThan(20)
  })

  it('is checked by it', async () => {
    const schema = { type: 'object', properties: { amount: { type: 'number', maximum: 100 } } }
    const approval = (amount: number) =>
      toAnswer(
        { kind: 'approval', schema },
        { kind: 'approval', approved: true, input: { amount } },
        ofStranger,
      )

    expect(await approval(8)).toEqual({ kind: 'approval', approved: true, input: { amount: 8 } })
    await expect(approval(800)).rejects.toThrow('answer.input: ')
  })
})
