import { Hono, type Context } from 'hono'

import { describeRoute, type AppEnv } from 'dragoman/agents'
import { describeJsonError } from 'dragoman/events'
import { limitBodySize, validateBody, readJsonBody } from '@dragoman/agent-kit/json-body'
import { newPostingBody, pageBody, postingPath } from './body.ts'
import { changeBody, starBody, touchBody } from './change-body.ts'
import type { ExportFormat } from './export.ts'
import { listQuery, wantedBy } from './list-query.ts'
import * as says from './operations.ts'
import type { Postings } from './postings.ts'

/** A whole page with its pictures inlined is smaller than this. */
const MAX_PAGE_BYTES = 20 * 1024 * 1024
const MAX_POSTING_BYTES = 1024 * 1024

const notTooLarge = limitBodySize(MAX_POSTING_BYTES, 'A posting may have at most 1 MB')

/** The REST routes of the postings. `report` is told why an export broke off. */
export function jobsRoutes(postings: Postings, report: (error: unknown) => void): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/', describeRoute(says.listing), async (c) => {
      const listing = wantedBy(validateBody(listQuery, c.req.query()), new Date())
      return c.json(await postings.list(c.get('userId'), listing))
    })
    .post('/', describeRoute(says.creation), notTooLarge, async (c) => {
      const saved = await postings.create(
        c.get('userId'),
        await readJsonBody(c, newPostingBody, describeJsonError),
      )
      return c.json(saved, saved.created ? 201 : 200)
    })
    .post(
      '/ingest',
      describeRoute(says.ingestion),
      limitBodySize(MAX_PAGE_BYTES, 'A page may have at most 20 MB'),
      async (c) => {
        const saved = await postings.ingest(c.get('userId'), await readJsonBody(c, pageBody))
        return c.json({ status: 'ok', ...saved })
      },
    )
    .get('/stats', describeRoute(says.counting), async (c) => c.json(await postings.counts(c.get('userId'))))
    .get('/export', describeRoute(says.exporting), (c) => {
      const { format } = validateBody(says.exportQuery, c.req.query())
      return download(c, format, reportErrors(postings.export(c.get('userId'), format), report))
    })
    .route('/', ofOne(postings))
}

/** What is done with one posting. */
function ofOne(postings: Postings): Hono<AppEnv> {
  const idOf = (c: Context): number => validateBody(postingPath, c.req.param()).id
  const change = async (c: Context<AppEnv>): Promise<Response> => {
    const id = idOf(c)
    const job = await postings.change(
      c.get('userId'),
      id,
      await readJsonBody(c, changeBody, describeJsonError),
    )
    return c.json({ job })
  }
  return new Hono<AppEnv>()
    .get('/:id', describeRoute(says.showing), async (c) => {
      const { resumeId } = validateBody(says.detailsQuery, c.req.query())
      return c.json(await postings.details(c.get('userId'), idOf(c), resumeId))
    })
    .patch('/:id', describeRoute(says.changing), notTooLarge, change)
    .put('/:id', describeRoute(says.changing), notTooLarge, change)
    .delete('/:id', describeRoute(says.removal), async (c) => {
      await postings.remove(c.get('userId'), idOf(c))
      return c.json({ success: true })
    })
    .post('/:id/star', describeRoute(says.starring), notTooLarge, async (c) => {
      const id = idOf(c)
      const job = await postings.change(
        c.get('userId'),
        id,
        await readJsonBody(c, starBody, describeJsonError),
      )
      return c.json({ job })
    })
    .post('/:id/touches', describeRoute(says.touching), notTooLarge, async (c) => {
      const id = idOf(c)
      const touch = await postings.touch(
        c.get('userId'),
        id,
        await readJsonBody(c, touchBody, describeJsonError),
      )
      return c.json({ touch }, 201)
    })
}

const types: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

function download(c: Context, format: ExportFormat, pieces: AsyncIterable<string>): Response {
  const day = new Date().toISOString().slice(0, 10)
  const body = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream())
  return c.body(body, 200, {
    'content-type': types[format],
    'content-disposition': `attachment; filename="jobs-${day}.${format}"`,
    'cache-control': 'no-store',
  })
}

/** Its head has gone out when it breaks: the reader sees it end too early, and we are told why. */
async function* reportErrors(
  pieces: AsyncIterable<string>,
  report: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    report(error)
    throw error
  }
}
