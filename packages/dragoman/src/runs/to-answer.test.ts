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
    expect(await toAnswer({ kind: 'approval' }, { kind: 'output', output }, pay)).toEqual({
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
    await expect(toAnswer({ kind: 'approval' }, { kind: 'output', output }, pay)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining(message),
    })
  })
})
