import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { idInQuery } from '../fields.ts'
import { newPostingBody, pageBody, postingPath } from './request-schemas.ts'
import { changeBody, starBody, touchBody } from './change-body.ts'
import { detailsShape, historyShape, touchShape } from './details.ts'
import { exportFormats } from './export.ts'
import { listQuery } from './list-query.ts'
import { postingShape } from './posting.ts'
import { statuses } from './status.ts'

/** The descriptions of the routes of the postings. */

const group = 'Postings'
export const savedShape = z.object({
  job: postingShape,
  created: z.boolean().describe('false for a known posting.'),
})
const oneShape = z.object({ job: postingShape })

export const list: Operation = {
  group,
  summary: 'List postings',
  description: 'The newest first, without their long texts.',
  query: listQuery,
  responses: {
    200: {
      description: 'A page of postings.',
      json: z.object({
        jobs: z.array(postingShape),
        total: z.int(),
        nextCursor: z.string().optional().describe('The `cursor` of the next page, if there is one.'),
      }),
    },
  },
}

export const create: Operation = {
  group,
  summary: 'Add a posting',
  description: 'A posting with a known address is not added twice, and stays unchanged.',
  body: newPostingBody,
  responses: {
    201: { description: 'The new posting.', json: savedShape },
    200: { description: 'The known posting.', json: savedShape },
  },
  errors: ['too-large'],
}

export const ingest: Operation = {
  group,
  summary: 'Read a posting from a page',
  description:
    'The page as a browser showed it, HTML or plain text. A known posting gets its missing fields.',
  body: pageBody,
  responses: {
    200: {
      description: 'The posting.',
      json: savedShape.extend({ status: z.literal('ok'), jobId: z.int() }),
    },
  },
  errors: ['too-large', 'rate-limited', 'unavailable'],
}

export const count: Operation = {
  group,
  summary: 'Count postings by status',
  responses: {
    200: {
      description: 'The number of postings in each status.',
      json: z.object(Object.fromEntries(statuses.map((status) => [status, z.int()]))),
    },
  },
}

export const exportQuery = z.object({
  format: z
    .enum(exportFormats, { error: `format must be one of: ${exportFormats.join(', ')}` })
    .default('json'),
})

export const exportAll: Operation = {
  group,
  summary: 'Export all postings',
  description: 'With descriptions, notes, history and contacts, the oldest first. CSV is for spreadsheets.',
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
  resumeId: idInQuery('resumeId', { zeroIsNone: true }).describe('The resume of the analysis.'),
})

export const get: Operation = {
  group,
  summary: 'Show a posting',
  params: postingPath,
  query: detailsQuery,
  responses: { 200: { description: 'The posting and its history.', json: detailsShape } },
  errors: ['not-found'],
}

export const change: Operation = {
  group,
  summary: 'Change a posting',
  description:
    'Absent fields stay, null clears. Each change of status is in the history. `applied` sets `appliedAt` if it is ' +
    'not set.',
  params: postingPath,
  body: changeBody,
  responses: { 200: { description: 'The changed posting.', json: oneShape } },
  errors: ['not-found', 'conflict', 'too-large'],
}

export const star: Operation = {
  group,
  summary: 'Star a posting',
  params: postingPath,
  body: starBody,
  responses: { 200: { description: 'The changed posting.', json: oneShape } },
  errors: ['not-found', 'too-large'],
}

export const touch: Operation = {
  group,
  summary: 'Note a contact',
  params: postingPath,
  body: touchBody,
  responses: { 201: { description: 'The contact.', json: z.object({ touch: touchShape }) } },
  errors: ['not-found', 'too-large'],
}

export const remove: Operation = {
  group,
  summary: 'Delete a posting',
  description: 'With its history, analyses and tailored resumes.',
  params: postingPath,
  responses: { 200: { description: 'It is deleted.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found'],
}
