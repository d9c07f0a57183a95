import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { pageQuery } from 'dragoman/surfaces'

const group = 'VibeLife'

/** Conversations that one list can reach: its pages have offsets. */
export const MAX_LISTED = 1000

const WRONG_OFFSET = `must be a whole number from 0 to ${MAX_LISTED}`

export const listQuery = z.object({
  limit: pageQuery({ usual: 20, most: 100 }).shape.limit,
  offset: z.coerce
    .number(WRONG_OFFSET)
    .int(WRONG_OFFSET)
    .min(0, WRONG_OFFSET)
    .overwrite((value) => Math.min(value, MAX_LISTED))
    .describe(`A larger one counts as ${MAX_LISTED}.`)
    .default(0),
  skill: z.string().max(500).optional().describe('Only those in which this skill is in use.'),
})

export const searchQuery = listQuery.omit({ skill: true }).extend({
  q: z
    .string('q is required')
    .trim()
    .min(1, 'q is required')
    .max(200)
    .meta({ examples: ['八字'] }),
})

export const newConversation = z
  .object({
    skill: z.string().max(500).nullish().describe('A skill that is at work from the start.'),
    voice_mode: z.string().max(64).nullish(),
    title: z.string().max(200).nullish(),
  })
  .meta({ examples: [{ skill: 'bazi', voice_mode: 'warm' }] })

export const change = z
  .strictObject({
    title: z.string().trim().min(1).max(200).nullish(),
    is_active: z.boolean().nullish().describe('false: it goes to the archive.'),
  })
  .meta({ examples: [{ title: '夏天' }] })

const params = z.object({
  id: z
    .string()
    .describe('Our id, or the client’s name for it.')
    .meta({ examples: ['my-evening'] }),
})

export const itemShape = z
  .object({
    id: z.string().describe('The client’s name for it, else ours.'),
    title: z.string().nullable(),
    skill: z.string().describe('The first skill in use, else core.'),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'VibeLifeConversation' })

export const listShape = z.object({
  conversations: z.array(itemShape),
  total: z.int().describe(`At most ${MAX_LISTED}.`),
  has_more: z.boolean(),
})

const messageShape = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string().describe('With marks, if vibelifeStream is marks.'),
  created_at: z.string(),
})

const detailShape = itemShape.extend({
  voice_mode: z.string(),
  created_at: z.iso.datetime(),
  messages: z.array(messageShape),
})

export const detailQuery = z.object({ messages_limit: pageQuery({ usual: 50, most: 200 }).shape.limit })

export const list: Operation = {
  group,
  summary: 'List conversations as VibeLife’s pages do',
  query: listQuery,
  responses: { 200: { description: 'The latest change first.', json: listShape } },
}
export const search: Operation = {
  group,
  summary: 'Search conversations',
  query: searchQuery,
  responses: { 200: { description: 'Those with the words in a title or a message.', json: listShape } },
}
export const create: Operation = {
  group,
  summary: 'Begin a conversation',
  body: newConversation,
  responses: { 200: { description: 'It. Its id is the conversation_id of its messages.', json: itemShape } },
}
export const show: Operation = {
  group,
  summary: 'Show a conversation with its messages',
  params,
  query: detailQuery,
  responses: { 200: { description: 'The latest messages, the oldest of them first.', json: detailShape } },
  errors: ['not-found'],
}
export const rename: Operation = {
  group,
  summary: 'Rename a conversation',
  params,
  body: change,
  responses: { 200: { description: 'It, changed.', json: itemShape } },
  errors: ['not-found'],
}
export const remove: Operation = {
  group,
  summary: 'Delete a conversation',
  params,
  responses: {
    200: {
      description: 'It is gone.',
      json: z.object({ status: z.literal('ok'), message: z.string() }),
    },
  },
  errors: ['not-found'],
}
