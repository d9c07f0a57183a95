import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { idInQuery } from '../fields.ts'
import { newPostingBody, pageBody, postingPath } from './body.ts'
import { changeBody, starBody, touchBody } from './change-body.ts'
import { detailsShape, historyShape, touchShape } from './details.ts'
import { exportFormats } from './export.ts'
import { listQuery } from './list-query.ts'
import { postingShape } from './posting.ts'
import { statuses } from './status.ts'

/** What is said of the routes of the postings. */

const group = 'Postings'
const savedShape = z.object({ job: postingShape, created: z.boolean().describe('false: it was known.') })
const oneShape = z.object({ job: postingShape })

export const listing: Operation = {
  group,
  summary: 'List postings',
  description: 'The newest first, without their long texts.',
  query: listQuery,
  responses: {
    200: {
      description: 'A page of them.',
      json: z.object({
        jobs: z.array(postingShape),
        total: z.int(),
        nextCursor: z.string().optional().describe('The `cursor` of the next page, where there is one.'),
      }),
    },
  },
}

export const creation: Operation = {
  group,
  summary: 'Put a posting in',
  description: 'One whose address is known is not doubled, and stays as it is.',
  body: newPostingBody,
  responses: {
    201: { description: 'It is new.', json: savedShape },
    200: { description: 'It was known.', json: savedShape },
  },
  errors: ['too-large'],
}

export const ingestion: Operation = {
  group,
  summary: 'Read a posting from a page',
  description: 'The page as a browser showed it, HTML or plain text. One that is known gains what it lacked.',
  body: pageBody,
  responses: {
    200: { description: 'It is kept.', json: savedShape.extend({ status: z.literal('ok') }) },
  },
  errors: ['too-large', 'unavailable'],
}

export const counting: Operation = {
  group,
  summary: 'Count postings by status',
  responses: {
    200: {
      description: 'How many there are of each.',
      json: z.object(Object.fromEntries(statuses.map((status) => [status, z.int()]))),
    },
  },
}

export const exportQuery = z.object({
  format: z
    .enum(exportFormats, { error: `format must be one of: ${exportFormats.join(', ')}` })
    .default('json'),
})

export const exporting: Operation = {
  group,
  summary: 'Take all postings along',
  description:
    'With their texts, notes, history and times of contact; the oldest first. CSV is made for spreadsheets.',
  query: exportQuery,
  responses: {
    200: {
      description: 'A file: JSON or CSV.',
      contentType: 'text/csv',
      json: z.object({
        jobs: z.array(
          z.object({
            ...postingShape.unwrap().shape,
            history: z.array(historyShape),
            touches: z.array(touchShape),
          }),
        ),
      }),
    },
  },
}

export const detailsQuery = z.object({
  resumeId: idInQuery('resumeId').describe('Whose judgement is wanted.'),
})

export const showing: Operation = {
  group,
  summary: 'Show a posting',
  params: postingPath,
  query: detailsQuery,
  responses: { 200: { description: 'The posting, and what happened to it.', json: detailsShape } },
  errors: ['not-found'],
}

export const changing: Operation = {
  group,
  summary: 'Change a posting',
  description:
    'What is absent stays, null clears. A status that changes is kept in the history; `applied` sets `appliedAt` where it is not set.',
  params: postingPath,
  body: changeBody,
  responses: { 200: { description: 'The posting as it is now.', json: oneShape } },
  errors: ['not-found', 'conflict', 'too-large'],
}

export const starring: Operation = {
  group,
  summary: 'Star a posting',
  params: postingPath,
  body: starBody,
  responses: { 200: { description: 'The posting as it is now.', json: oneShape } },
  errors: ['not-found', 'too-large'],
}

export const touching: Operation = {
  group,
  summary: 'Note a time of contact',
  params: postingPath,
  body: touchBody,
  responses: { 201: { description: 'It is kept.', json: z.object({ touch: touchShape }) } },
  errors: ['not-found', 'too-large'],
}

export const removal: Operation = {
  group,
  summary: 'Delete a posting',
  description: 'It is gone, with its history, judgements and tailored resumes.',
  params: postingPath,
  responses: { 200: { description: 'It is gone.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found'],
}
