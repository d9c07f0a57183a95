import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { memoryShape } from '../memories/memory-request.ts'

const group = 'Privacy'

const conversations = z.object({
  list: z.string(),
  export: z.string(),
  delete: z.string(),
  note: z.string(),
  items: z
    .array(z.looseObject({ id: z.string(), messages: z.array(z.looseObject({})) }))
    .optional()
    .describe('A guest’s conversations, with all of their messages.'),
})

export const exportAll: Operation = {
  group,
  summary: 'Take all that the life agent keeps of you',
  description:
    'Profile, birth and memories with their dates, as a file. A guest’s conversations are in ' +
    '`conversations.items`; for an account `conversations` says where they are exported.',
  responses: {
    200: {
      description: 'A JSON file.',
      json: z.object({
        exportedAt: z.iso.datetime(),
        profile: z.looseObject({}).describe('As `GET /life/profile` has it.'),
        memories: z.array(memoryShape),
        conversations,
      }),
    },
  },
}

export const removeAll: Operation = {
  group,
  summary: 'Delete all that the life agent keeps of you',
  description:
    'Profile, birth, memories and greetings: they are really gone. So are a guest’s conversations; an account’s ' +
    'stay, and are deleted under `/v1`.',
  responses: {
    200: {
      description: 'They are gone; `removed` says how many there were.',
      json: z.object({
        success: z.literal(true),
        removed: z.object({
          memories: z.int(),
          greetings: z.int(),
          profile: z.literal(true),
          conversations: z.int().optional(),
        }),
        conversations,
      }),
    },
  },
}
