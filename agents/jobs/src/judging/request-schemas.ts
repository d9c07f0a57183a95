import { z } from 'zod'

import { idInBody, idInQuery, limitInBody } from '../fields.ts'
import { languages } from '../words/language.ts'

const NO_LANGUAGE = `language must be one of: ${languages.join(', ')}`
/** How many postings are judged at a time at most. */
export const MAX_BATCH_SIZE = 50

/** How many postings are judged at a time, unless told. */
export const USUAL_BATCH = 10

const language = z
  .enum(languages, { error: NO_LANGUAGE })
  .describe('Of the answer; the posting’s own unless told.')

/** What the queries of judgements are asked. */
export const judgementQuery = z.object({
  resumeId: idInQuery('resumeId', { zeroIsNone: true })
    .describe('The default resume unless told.')
    .meta({ examples: [1] }),
  language: language.optional(),
})

/** A client's null says as much as nothing. */
const orUndefined = <T>(value: T | null | undefined): T | undefined => value ?? undefined

/** What `POST /jobs/:id/analyze` takes. */
export const analyzeBody = z
  .object({
    resumeId: idInBody('resumeId').transform(orUndefined).describe('The default resume unless told.'),
    forceRefresh: z
      .boolean('forceRefresh must be true or false')
      .nullish()
      .transform(orUndefined)
      .describe('true: judge again, even with a stored analysis.'),
    language: language.nullish().transform(orUndefined),
  })
  .meta({ examples: [{ resumeId: 1, forceRefresh: false }] })

/** What `POST /jobs/analyze` takes. */
export const batchBody = z
  .object({
    limit: limitInBody(MAX_BATCH_SIZE).transform(orUndefined),
    resumeId: idInBody('resumeId').transform(orUndefined).describe('The default resume unless told.'),
    language: language.nullish().transform(orUndefined),
  })
  .meta({ examples: [{ limit: 5 }] })
