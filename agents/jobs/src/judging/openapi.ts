import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { postingPath } from '../postings/request-schemas.ts'
import { storedAnalysisShape } from './analysis.ts'
import { analyzeBody, batchBody, judgementQuery } from './request-schemas.ts'
import { prescoreShape } from './prescore.ts'

const group = 'Judging'

export const prescore: Operation = {
  group,
  summary: 'Compare a posting with a resume at once',
  description:
    'By what both say, without a model: skills, years, languages, degree and place, each with its reason.',
  params: postingPath,
  query: judgementQuery,
  responses: {
    200: {
      description: 'How they fit.',
      json: z.object({ ...prescoreShape.shape, jobId: z.int(), resumeId: z.int() }),
    },
  },
  errors: ['not-found'],
}

export const analyze: Operation = {
  group,
  summary: 'Have a model judge a posting',
  description:
    'Each requirement with its words in the posting and its evidence in the resume. What the ' +
    'model quotes is checked. What was judged before comes at once, `cached`.',
  params: postingPath,
  body: analyzeBody.optional(),
  responses: { 200: { description: 'What it found.', json: z.object({ analysis: storedAnalysisShape }) } },
  errors: [
    'not-found',
    'too-large',
    'model-missing',
    'model-unauthorized',
    'model-refused',
    'model-overloaded',
    'model-failed',
    'timed-out',
  ],
}

export const analysis: Operation = {
  group,
  summary: 'Show the newest analysis of a posting',
  description: 'With one resume, or with any. Nothing is asked of a model.',
  params: postingPath,
  query: judgementQuery.pick({ resumeId: true }),
  responses: {
    200: {
      description: 'The analysis, or null.',
      json: z.object({ analysis: storedAnalysisShape.nullable() }),
    },
  },
  errors: ['not-found'],
}

const frame = {
  type: 'progress',
  status: 'processing',
  done: 1,
  total: 5,
  jobId: 7,
  title: 'Data Engineer',
  score: 72,
  verdict: 'High',
  error: null,
}
const last = {
  type: 'complete',
  status: 'complete',
  processed: 5,
  analyzed: 5,
  cached: 0,
  skipped: [],
  errors: [],
}

export const analyzeAll: Operation = {
  group,
  summary: 'Have a model judge the postings that were not judged yet',
  description: 'Those in the inbox first, two at a time. Who leaves stops it; what is done by then stays.',
  body: batchBody.optional(),
  responses: {
    200: {
      description: 'How it goes, posting by posting, and what came of it.',
      streams: [
        {
          contentType: 'text/event-stream',
          protocol: 'progress',
          example: [frame, last].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''),
        },
      ],
    },
  },
  errors: ['not-found', 'too-large'],
}
