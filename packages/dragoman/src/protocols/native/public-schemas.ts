import { z } from 'zod'

/** A run as its user may see it. */
export const runSchema = z
  .object({
    id: z.string(),
    threadId: z.string(),
    agent: z.string(),
    messageId: z.string().describe('The message that the run writes.'),
    status: z.enum(['queued', 'running', 'waiting', 'finished', 'failed', 'cancelled']),
    lastSeq: z.int().describe('How many entries its log has.'),
    createdAt: z.iso.datetime(),
    pruned: z.boolean().describe('Whether its stream is no longer kept. What it said is in its thread.'),
  })
  .meta({ id: 'Run' })
export type PublicRun = z.infer<typeof runSchema>

/** A message in our words. Its parts are those of the language: docs/reference/protocols/native.md. */
export const messageSchema = z
  .looseObject({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    status: z.enum(['streaming', 'waiting', 'finished', 'failed', 'cancelled']).optional(),
    parts: z.array(z.looseObject({ type: z.string() })),
    feedback: z.enum(['up', 'down']).optional(),
  })
  .meta({ id: 'Message' })
