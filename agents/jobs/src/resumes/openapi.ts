import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import {
  formBody,
  listQuery,
  newResumeBody,
  resumeChangeBody,
  resumePath,
  versionPath,
} from './request-schemas.ts'
import { resumeShape, versionShape } from './resume.ts'

const group = 'Resumes'
const nextCursor = z.string().exactOptional().describe('Absent on the last page.')
const resume = z.object({ resume: resumeShape })

export const list: Operation = {
  group,
  summary: 'List resumes',
  description: 'The last changed first. A page ends early where the texts are large.',
  query: listQuery,
  responses: {
    200: {
      description: 'A page of them.',
      json: z.object({ resumes: z.array(resumeShape), nextCursor }),
    },
  },
}

export const create: Operation = {
  group,
  summary: 'Put a resume in',
  description:
    'As JSON, with a PDF or DOCX in base64; or as multipart/form-data with `file`, `name` and ' +
    '`isDefault`, where the bytes say what the file is. The first resume becomes the default. ' +
    'What cannot be read is refused, and nothing kept.',
  body: newResumeBody,
  form: formBody,
  responses: { 201: { description: 'It is kept.', json: resume } },
  errors: ['too-large', 'rate-limited', 'unavailable'],
}

export const get: Operation = {
  group,
  summary: 'Show a resume',
  params: resumePath,
  responses: { 200: { description: 'The resume, with its text.', json: resume } },
  errors: ['not-found'],
}

export const update: Operation = {
  group,
  summary: 'Change a resume',
  description: 'What is absent stays. Another text makes a new version; the old ones can be restored.',
  params: resumePath,
  body: resumeChangeBody,
  form: formBody,
  responses: { 200: { description: 'The resume as it is now.', json: resume } },
  errors: ['not-found', 'conflict', 'too-large', 'rate-limited', 'unavailable'],
}

export const remove: Operation = {
  group,
  summary: 'Delete a resume',
  description:
    'With its versions, its tailored versions and its analyses. Where it was the default, the ' +
    'newest other one becomes it.',
  params: resumePath,
  responses: { 200: { description: 'It is gone.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found'],
}

export const setDefault: Operation = {
  group,
  summary: 'Make a resume the default',
  params: resumePath,
  responses: { 200: { description: 'The resume.', json: resume } },
  errors: ['not-found'],
}

export const status: Operation = {
  group,
  summary: 'Tell how well a resume was read',
  params: resumePath,
  responses: {
    200: {
      description: '`partial` where something was not understood: `errors` say what.',
      json: z.object({
        parse_status: z.enum(['success', 'partial', 'failed', 'parsing']),
        errors: z.array(z.string()),
      }),
    },
  },
  errors: ['not-found'],
}

export const json: Operation = {
  group,
  summary: 'Show a resume as JSON Resume',
  description: 'See https://jsonresume.org/schema. Fields beginning with `x-` are as the resume says them.',
  params: resumePath,
  responses: {
    200: {
      description: 'What was understood of it.',
      json: z.looseObject({}),
      examples: {
        'A short one': { basics: { name: 'Ada Lovelace' }, work: [{ name: 'Acme', position: 'Engineer' }] },
      },
    },
  },
  errors: ['not-found'],
}

export const versions: Operation = {
  group,
  summary: 'List the versions of a resume',
  description: 'The newest first, without their texts.',
  params: resumePath,
  query: listQuery,
  responses: {
    200: { description: 'A page of them.', json: z.object({ versions: z.array(versionShape), nextCursor }) },
  },
  errors: ['not-found'],
}

export const version: Operation = {
  group,
  summary: 'Show a version of a resume',
  params: versionPath,
  responses: {
    200: {
      description: 'The version, with its text.',
      json: z.object({ version: versionShape.unwrap().extend({ content: z.string() }) }),
    },
  },
  errors: ['not-found'],
}

export const restore: Operation = {
  group,
  summary: 'Restore a version of a resume',
  description: 'Its text becomes the newest version.',
  params: versionPath,
  responses: { 200: { description: 'The resume as it is now.', json: resume } },
  errors: ['not-found'],
}
