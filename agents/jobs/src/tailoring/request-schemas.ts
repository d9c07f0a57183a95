import { z } from 'zod'

import { CONTROLS_BUT_BREAKS, requiredText, idField, idInBody, idInQuery, pageSize } from '../fields.ts'
import { documentQuery } from '../documents/document-response.ts'

export const jobPath = z.object({ jobId: idField('Invalid job id') })
/** The same place in a path has one name in all of them: here it is the job's, where one edits the version's. */
export const tailoredJobPath = z.object({ id: idField('Invalid job id').describe("The job's.") })
export const versionPath = z.object({ id: idField('Invalid version id').describe("The version's.") })
export const jobVersionPath = jobPath.extend(versionPath.shape)
export const filePath = jobVersionPath.extend({ filename: z.string().meta({ examples: ['resume.pdf'] }) })

/** What `POST /jobs/tailor/:jobId` takes. */
export const tailorBody = z
  .object({
    resumeId: idInBody('resumeId').describe('The default resume unless told.'),
    forceNew: z
      .boolean('forceNew must be true or false')
      .nullish()
      .describe('Whether a version that is there is to be followed by another.'),
    content: requiredText('content', 'content must not be empty')
      .transform((text) => text.replace(CONTROLS_BUT_BREAKS, ' '))
      .nullish()
      .describe('Your own text: it becomes a new version, and no model is asked.'),
  })
  .meta({ examples: [{ resumeId: 1, forceNew: false }] })

/** What `PUT /jobs/tailor/:id` takes. */
export const editBody = z
  .object({
    content: requiredText('content').transform((text) => text.replace(CONTROLS_BUT_BREAKS, ' ')),
  })
  .meta({ examples: [{ content: '# Ada Park\n\n## Experience\n…' }] })

export const versionsQuery = z.object({
  resumeId: idInQuery('resumeId', { zeroIsNone: true }),
  limit: pageSize,
  cursor: z.string().optional().describe('The nextCursor of the page before.'),
})

export const differenceQuery = z.object({
  against: z
    .string()
    .regex(/^(?:base|[1-9]\d{0,15})$/, 'against must be base or the id of a version')
    .transform((text) => (text === 'base' ? text : Number(text)))
    .pipe(z.union([z.literal('base'), z.int()]))
    .default('base'),
})

/** Which version a file is made of, or kept with. */
export const whichQuery = z.object({
  resumeId: idInQuery('resumeId', { zeroIsNone: true }),
  version: idInQuery('version').describe('Its number; the latest unless told.'),
})
export const renderQuery = whichQuery.extend(documentQuery.shape)
