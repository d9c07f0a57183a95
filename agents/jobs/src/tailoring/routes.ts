import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation, type ToolModel } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import {
  limitBodySize,
  validateBody,
  readJsonBody,
  readOptionalJsonBody,
} from '@dragoman/agent-kit/json-body'
import {
  differenceQuery,
  editBody,
  jobPath,
  jobVersionPath,
  tailorBody,
  tailoredJobPath,
  versionPath,
  versionsQuery,
} from './request-schemas.ts'
import { differenceShape } from './difference-shape.ts'
import type { Tailoring } from './tailoring.ts'
import { listedShape, versionShape, wholeVersion } from './version.ts'

const MAX_BYTES = 1024 * 1024

const group = 'Tailored resumes'
const tailoredShape = wholeVersion
  .extend({ isNew: z.boolean().describe('false: it was there.'), diff: differenceShape })
  .readonly()
const made = { description: 'It is new.', json: tailoredShape }
const existing = { description: 'It was there, and nothing was made.', json: tailoredShape }

const tailor: Operation = {
  group,
  summary: 'Tailor a resume to a posting',
  description:
    'Asks the model, unless there is a version. What in it does not trace to the base resume ' +
    'is held against the model once; what is left of it is in `truth.marks`. With `content`, no model is asked.',
  params: tailoredJobPath,
  body: tailorBody.optional(),
  responses: { 201: made, 200: existing },
  errors: ['not-found', 'model-missing', 'model-overloaded', 'model-failed', 'timed-out', 'too-large'],
}

const edit: Operation = {
  group,
  summary: 'Edit a tailored resume',
  description: 'Makes a new version, which is checked like any other. The one that is edited stays.',
  params: versionPath,
  body: editBody,
  responses: { 201: made, 200: existing },
  errors: ['not-found', 'too-large'],
}

const restore: Operation = {
  group,
  summary: 'Restore a version',
  description: 'Its text becomes a new version, the latest.',
  params: versionPath,
  responses: { 201: made, 200: existing },
  errors: ['not-found'],
}

const difference: Operation = {
  group,
  summary: 'Compare a version',
  description:
    'With the base resume that it was made of, or with another version: by lines, and in them by words.',
  params: versionPath,
  query: differenceQuery,
  responses: { 200: { description: 'How the other becomes this one.', json: differenceShape } },
  errors: ['not-found'],
}

const list: Operation = {
  group,
  summary: 'List the versions for a posting',
  description: 'The newest first.',
  params: jobPath,
  query: versionsQuery,
  responses: {
    200: {
      description: 'A page of them.',
      json: z.object({ versions: z.array(listedShape), nextCursor: z.string().exactOptional() }),
    },
  },
  errors: ['not-found'],
}

const get: Operation = {
  group,
  summary: 'Show a version',
  params: jobVersionPath,
  responses: { 200: { description: 'The version.', json: z.object({ version: versionShape }) } },
  errors: ['not-found'],
}

const remove: Operation = {
  group,
  summary: 'Delete a version',
  description: 'With its files. Where it was the latest, the one before it becomes so.',
  params: versionPath,
  responses: { 200: { description: 'It is gone.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found'],
}

const sized = limitBodySize(MAX_BYTES, 'A tailored resume may have at most 1 MB')

/** The REST routes of tailored resumes. */
export function tailoringRoutes(tailoring: Tailoring, modelFor: (userId: string) => ToolModel): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post('/tailor/:id', describeRoute(tailor), sized, async (c) => {
      const { id: jobId } = validateBody(tailoredJobPath, c.req.param())
      const { resumeId: named, forceNew, content } = await readOptionalJsonBody(c, tailorBody)
      const resumeId = named ?? undefined
      if (content) return c.json(await tailoring.write(c.get('userId'), { jobId, resumeId, content }), 201)
      const request = { jobId, resumeId, forceNew: forceNew ?? false }
      const userId = c.get('userId')
      const by = { model: modelFor(userId), signal: c.req.raw.signal }
      const tailored = await tailoring.tailor(userId, request, by)
      return c.json(tailored, tailored.isNew ? 201 : 200)
    })
    .put('/tailor/:id', describeRoute(edit), sized, async (c) => {
      const { id } = validateBody(versionPath, c.req.param())
      const { content } = await readJsonBody(c, editBody)
      const tailored = await tailoring.edit(c.get('userId'), id, content)
      return c.json(tailored, tailored.isNew ? 201 : 200)
    })
    .post('/tailor/:id/restore', describeRoute(restore), async (c) => {
      const tailored = await tailoring.restore(c.get('userId'), validateBody(versionPath, c.req.param()).id)
      return c.json(tailored, tailored.isNew ? 201 : 200)
    })
    .get('/tailor/:id/diff', describeRoute(difference), async (c) => {
      const { id } = validateBody(versionPath, c.req.param())
      const { against } = validateBody(differenceQuery, c.req.query())
      return c.json(await tailoring.difference(c.get('userId'), id, against))
    })
    .get('/tailor/:jobId/versions', describeRoute(list), async (c) => {
      const { jobId } = validateBody(jobPath, c.req.param())
      const { resumeId, limit, cursor } = validateBody(versionsQuery, c.req.query())
      return c.json(await tailoring.list(c.get('userId'), { jobId, resumeId }, { limit, cursor }))
    })
    .get('/tailor/:jobId/versions/:id', describeRoute(get), async (c) => {
      const { jobId, id } = validateBody(jobVersionPath, c.req.param())
      const version = await tailoring.versions.get(c.get('userId'), id)
      if (version.jobId !== jobId) throw new ServiceError('not-found', 'Tailored version not found')
      return c.json({ version })
    })
    .delete('/tailor/:id', describeRoute(remove), async (c) => {
      await tailoring.versions.remove(c.get('userId'), validateBody(versionPath, c.req.param()).id)
      return c.json({ success: true })
    })
}
