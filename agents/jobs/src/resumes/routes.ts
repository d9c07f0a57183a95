import { Hono, type Handler } from 'hono'

import { describeRoute, type AppEnv } from 'dragoman/agents'
import { limitBodySize, validateBody } from '@dragoman/agent-kit/json-body'
import {
  listQuery,
  MAX_BODY_BYTES,
  readChange,
  readNewResume,
  resumePath,
  versionPath,
} from './request-schemas.ts'
import * as operations from './openapi.ts'
import type { Resumes } from './resumes.ts'

/** The REST routes of the resumes. */
export function resumesRoutes(resumes: Resumes): Hono<AppEnv> {
  const small = limitBodySize(
    MAX_BODY_BYTES,
    'A resume may have at most 1 MB of text, or 20 MB as PDF or DOCX',
  )
  const update: Handler<AppEnv, '/:id'> = async (c) => {
    const { id } = validateBody(resumePath, c.req.param())
    return c.json({ resume: await resumes.update(c.get('userId'), id, await readChange(c)) })
  }
  return new Hono<AppEnv>()
    .get('/', describeRoute(operations.list), async (c) =>
      c.json(await resumes.list(c.get('userId'), validateBody(listQuery, c.req.query()))),
    )
    .post('/', describeRoute(operations.create), small, async (c) =>
      c.json({ resume: await resumes.create(c.get('userId'), await readNewResume(c)) }, 201),
    )
    .get('/:id', describeRoute(operations.get), async (c) =>
      c.json({ resume: await resumes.get(c.get('userId'), validateBody(resumePath, c.req.param()).id) }),
    )
    .put('/:id', describeRoute(operations.update), small, update)
    .patch('/:id', describeRoute(operations.update), small, update)
    .delete('/:id', describeRoute(operations.remove), async (c) => {
      await resumes.remove(c.get('userId'), validateBody(resumePath, c.req.param()).id)
      return c.json({ success: true })
    })
    .post('/:id/set-default', describeRoute(operations.setDefault), async (c) =>
      c.json({
        resume: await resumes.setDefault(c.get('userId'), validateBody(resumePath, c.req.param()).id),
      }),
    )
    .get('/:id/status', describeRoute(operations.status), async (c) => {
      const { parseStatus, parseErrors } = await resumes.get(
        c.get('userId'),
        validateBody(resumePath, c.req.param()).id,
      )
      return c.json({ parse_status: parseStatus, errors: parseErrors })
    })
    .get('/:id/json', describeRoute(operations.json), async (c) =>
      c.json(await resumes.data(c.get('userId'), validateBody(resumePath, c.req.param()).id)),
    )
    .route('/:id/versions', versionsRoutes(resumes))
}

function versionsRoutes(resumes: Resumes): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/', describeRoute(operations.versions), async (c) => {
      const { id } = validateBody(resumePath, c.req.param())
      return c.json(await resumes.versions(c.get('userId'), id, validateBody(listQuery, c.req.query())))
    })
    .get('/:version', describeRoute(operations.version), async (c) => {
      const { id, version } = validateBody(versionPath, c.req.param())
      return c.json({ version: await resumes.version(c.get('userId'), id, version) })
    })
    .post('/:version/restore', describeRoute(operations.restore), async (c) => {
      const { id, version } = validateBody(versionPath, c.req.param())
      return c.json({ resume: await resumes.restore(c.get('userId'), id, version) })
    })
}
