import { z } from 'zod'

import { pageQuery } from 'dragoman/surfaces'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { memoryTypes, MAX_MEMORY_LENGTH, type Memory } from './memory.ts'

/** What the routes of the memories take and give. */

const WRONG_CONTENT = 'content must be a text'
const WRONG_IMPORTANCE = 'importance must be a whole number from 1 to 5'

const content = z
  .string(WRONG_CONTENT)
  .max(MAX_MEMORY_LENGTH * 4, `content may have at most ${MAX_MEMORY_LENGTH} characters`)
  .transform((text) => toSingleLine(text))
  .refine((text) => text !== '', 'content must not be empty')
  .refine(
    (text) => text.length <= MAX_MEMORY_LENGTH,
    `content may have at most ${MAX_MEMORY_LENGTH} characters`,
  )
const type = z.enum(memoryTypes, `type must be one of: ${memoryTypes.join(', ')}`)
const importance = z.int(WRONG_IMPORTANCE).min(1, WRONG_IMPORTANCE).max(5, WRONG_IMPORTANCE)

/** What `POST /life/memories` takes. */
export const newMemoryBody = z
  .object({ content, type: type.default('fact'), importance: importance.default(3) })
  .meta({ examples: [{ content: 'Likes hiking in the hills', type: 'preference', importance: 3 }] })

/** What `PATCH /life/memories/:id` takes: what is absent stays. */
export const memoryChangeBody = z
  .strictObject({
    content: content.exactOptional(),
    type: type.exactOptional(),
    importance: importance.exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, {
    path: ['content'],
    error: 'There is nothing to change: give content, type or importance',
  })
  .meta({ examples: [{ importance: 5 }] })

/** Which memory a path means. */
export const memoryPath = z.object({
  id: z
    .string()
    .max(64)
    .meta({ examples: ['mem_V1StGXR8_Z5j'] }),
})

/** What a list is asked. */
export const listQuery = pageQuery({ usual: 20, most: 100 }).extend({
  words: z
    .string()
    .max(200, 'may have at most 200 characters')
    .exactOptional()
    .describe('Only those that have all of them.'),
})

export const memoryShape: z.ZodType<Memory> = z.object({
  id: z.string(),
  content: z.string(),
  type: z.enum(memoryTypes),
  importance: z.int().min(1).max(5),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  from: z
    .object({ conversation: z.string(), run: z.string() })
    .exactOptional()
    .describe('Where it was said; absent where its user wrote it down outside any conversation.'),
})
