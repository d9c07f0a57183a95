import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'

import { described, type Door, type Operation } from '../../agent/index.ts'
import { ServiceError } from '../../errors.ts'
import { jsonMistake } from '../../events/index.ts'
import { checked, listQuery, newPostingBody, pageBody, postingPath, readBody } from './body.ts'
import { postingShape } from './posting.ts'
import type { Postings } from './postings.ts'

/** A whole page with its pictures inlined is smaller than this. */
const MOST_PAGE_BYTES = 20 * 1024 * 1024
const MOST_POSTING_BYTES = 1024 * 1024

const group = 'Postings'
const savedShape = z.object({ job: postingShape, created: z.boolean().describe('false: it was known.') })

const list: Operation = {
  group,
  summary: 'List postings',
  description: 'The newest first, without their descriptions.',
  query: listQuery,
  answers: {
    200: { description: 'A page of them.', json: z.object({ jobs: z.array(postingShape), total: z.int() }) },
  },
}

const create: Operation = {
  group,
  summary: 'Put a posting in',
  description: 'One whose address is known is not doubled, and stays as it is.',
  body: newPostingBody,
  answers: {
    201: { description: 'It is new.', json: savedShape },
    200: { description: 'It was known.', json: savedShape },
  },
  errors: ['too-large'],
}

const ingest: Operation = {
  group,
  summary: 'Read a posting from a page',
  description: 'The page as a browser showed it, HTML or plain text. One that is known gains what it lacked.',
  body: pageBody,
  answers: {
    200: { description: 'It is kept.', json: savedShape.extend({ status: z.literal('ok') }) },
  },
  errors: ['too-large', 'unavailable'],
}

const get: Operation = {
  group,
  summary: 'Show a posting',
  params: postingPath,
  answers: {
    200: { description: 'The posting.', json: z.object({ job: postingShape, analysis: z.null() }) },
  },
  errors: ['not-found'],
}

/** The REST routes of the postings. */
export function jobsRoutes(postings: Postings): Hono<Door> {
  return new Hono<Door>()
    .get('/', described(list), async (c) => {
      const { limit, offset, ...filters } = checked(listQuery, c.req.query())
      const page = { limit, offset }
      return c.json(await postings.list(c.get('userId'), filters, page))
    })
    .post(
      '/',
      described(create),
      atMost(MOST_POSTING_BYTES, 'A posting may have at most 1 MB'),
      async (c) => {
        const saved = await postings.create(c.get('userId'), await readBody(c, newPostingBody, jsonMistake))
        return c.json(saved, saved.created ? 201 : 200)
      },
    )
    .post(
      '/ingest',
      described(ingest),
      atMost(MOST_PAGE_BYTES, 'A page may have at most 20 MB'),
      async (c) => {
        const saved = await postings.ingest(c.get('userId'), await readBody(c, pageBody))
        return c.json({ status: 'ok', ...saved })
      },
    )
    .get('/:id', described(get), async (c) => {
      const job = await postings.get(c.get('userId'), checked(postingPath, c.req.param()).id)
      return c.json({ job, analysis: null })
    })
}

/** Counts what comes, whether or not its length was announced, before anything reads it. */
function atMost(maxSize: number, sentence: string): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new ServiceError('too-large', sentence)
    },
  })
}
