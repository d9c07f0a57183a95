import { Hono, type Context } from 'hono'
import type { ZodType } from 'zod'

import { describeRoute, type AppEnv } from 'dragoman/agents'
import { describeJsonError } from 'dragoman/events'
import { limitBodySize, validateBody, readJsonBody } from '@dragoman/agent-kit/json-body'
import { deliverPages, type AnswerPage, type HttpEnv } from 'dragoman/http'
import { newPostingBody, pageBody, postingPath } from './request-schemas.ts'
import { changeBody, starBody, touchBody } from './change-body.ts'
import type { ExportFormat } from './export.ts'
import { listQuery, resolveTimes } from './list-query.ts'
import * as operations from './openapi.ts'
import type { Postings } from './postings.ts'

/** A page with inlined pictures is smaller. */
const MAX_PAGE_BYTES = 20 * 1024 * 1024
const MAX_POSTING_BYTES = 1024 * 1024

const limitSize = limitBodySize(MAX_POSTING_BYTES, 'A posting may have at most 1 MB')

const readBody = <S extends ZodType>(c: Context, schema: S) => readJsonBody(c, schema, describeJsonError)

/** The REST routes of the postings. `report` receives the reason why an export broke off. */
export function jobsRoutes(postings: Postings, report: (error: unknown) => void): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/', describeRoute(operations.list), async (c) => {
      const filters = resolveTimes(validateBody(listQuery, c.req.query()), new Date())
      return c.json(await postings.list(c.get('userId'), filters))
    })
    .post('/', describeRoute(operations.create), limitSize, async (c) => {
      const saved = await postings.create(c.get('userId'), await readBody(c, newPostingBody))
      return c.json(saved, saved.created ? 201 : 200)
    })
    .route('/ingest', ingestRoutes(postings))
    .get('/stats', describeRoute(operations.count), async (c) =>
      c.json(await postings.counts(c.get('userId'))),
    )
    .route('/', exportRoute(postings, report))
    .route('/', postingRoutes(postings))
}

/** The route that stores the posting on a page. */
export function ingestRoutes(postings: Pick<Postings, 'ingest'>): Hono<AppEnv> {
  return new Hono<AppEnv>().post(
    '/',
    describeRoute(operations.ingest),
    limitBodySize(MAX_PAGE_BYTES, 'A page may have at most 20 MB'),
    async (c) => {
      const saved = await postings.ingest(c.get('userId'), await readJsonBody(c, pageBody))
      return c.json({ status: 'ok', jobId: saved.job.id, ...saved })
    },
  )
}

/** The routes of one posting. */
function postingRoutes(postings: Postings): Hono<AppEnv> {
  const idOf = (c: Context): number => validateBody(postingPath, c.req.param()).id
  const change =
    (schema: typeof changeBody | typeof starBody) =>
    async (c: Context<AppEnv>): Promise<Response> => {
      const id = idOf(c)
      return c.json({ job: await postings.change(c.get('userId'), id, await readBody(c, schema)) })
    }
  return (
    new Hono<AppEnv>()
      .get('/:id', describeRoute(operations.get), async (c) => {
        const { resumeId } = validateBody(operations.detailsQuery, c.req.query())
        return c.json(await postings.details(c.get('userId'), idOf(c), resumeId))
      })
      .patch('/:id', describeRoute(operations.change), limitSize, change(changeBody.strict()))
      // Who puts a posting sends it as it was read, with all its fields.
      .put('/:id', describeRoute(operations.change), limitSize, change(changeBody))
      .delete('/:id', describeRoute(operations.remove), async (c) => {
        await postings.remove(c.get('userId'), idOf(c))
        return c.json({ success: true })
      })
      .post('/:id/star', describeRoute(operations.star), limitSize, change(starBody))
      .post('/:id/touches', describeRoute(operations.touch), limitSize, async (c) => {
        const id = idOf(c)
        return c.json({ touch: await postings.touch(c.get('userId'), id, await readBody(c, touchBody)) }, 201)
      })
  )
}

const types: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

function exportRoute(postings: Postings, report: (error: unknown) => void): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/export', describeRoute(operations.exportAll), (c) => {
    const { format } = validateBody(operations.exportQuery, c.req.query())
    const day = new Date().toISOString().slice(0, 10)
    return deliverPages(c, reportErrors(postings.export(c.get('userId'), format), report), {
      'content-type': types[format],
      'content-disposition': `attachment; filename="jobs-${day}.${format}"`,
      'cache-control': 'no-store',
    })
  })
}

/** Reports errors after the head of the answer was sent. The client sees that the body ends too early. */
async function* reportErrors(
  pages: AsyncIterable<AnswerPage>,
  report: (error: unknown) => void,
): AsyncGenerator<AnswerPage> {
  const fail = (error: unknown): never => {
    report(error)
    throw error
  }
  try {
    for await (const { bytes, make } of pages) yield { bytes, make: () => make().catch(fail) }
  } catch (error) {
    fail(error)
  }
}
