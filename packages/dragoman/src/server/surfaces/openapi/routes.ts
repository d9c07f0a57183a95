import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import { sendCached, createCachedBody, type CachedBody } from './etag-response.ts'
import type { OpenApiDocument, Route } from './document.ts'
import { PAGE_HEADERS, renderPage } from '../html-page.ts'
import { EXAMPLE_AGENT } from '../reader-query.ts'

export type OpenApiOptions = {
  readonly version: string
  /** The id of an agent that the examples can be tried with. */
  readonly agent: string
  /** Every route of the server; asked once the first reader comes, when all are mounted. */
  readonly routes: () => readonly Route[]
}

/** Names under which the server is called whose pages are kept. */
const MAX_PAGES = 8
const group = 'Server'

const showDocument: Operation = {
  group,
  summary: 'This description',
  responses: { 200: { description: 'OpenAPI 3.1.', json: z.looseObject({ openapi: z.string() }) } },
}

const showPage: Operation = {
  group,
  summary: 'The same as a page',
  responses: { 200: { description: 'The page.', contentType: 'text/html' } },
}

/** What may be asked of the server: for programs, and for people. */
export function openApiRoutes({ version, agent, routes }: OpenApiOptions): Hono<HttpEnv> {
  let document: OpenApiDocument | undefined
  // Loaded for the first reader: most servers start without one.
  const loadDocument = async (): Promise<OpenApiDocument> => {
    const { openApiDocument } = await import('./document.ts')
    return (document ??= withAgent(openApiDocument(routes(), version), agent))
  }
  let json: CachedBody | undefined
  const pages = new Map<string, CachedBody>()
  /** Its commands name the server as its reader does. */
  const page = async (origin: string): Promise<CachedBody> => {
    const cached = pages.get(origin)
    if (cached) return cached
    const { docsPage } = await import('./docs-page.ts')
    const answer = createCachedBody(
      await renderPage({
        title: 'dragoman: every route',
        content: docsPage(await loadDocument(), origin),
      }),
    )
    if (pages.size >= MAX_PAGES) pages.clear()
    pages.set(origin, answer)
    return answer
  }
  return new Hono<HttpEnv>()
    .get('/openapi.json', describeRoute(showDocument), async (c) => {
      const servers = [{ url: c.get('basePath') || '/' }]
      json ??= createCachedBody(JSON.stringify({ ...(await loadDocument()), servers }))
      return sendCached(c, json, { 'content-type': 'application/json' })
    })
    .get('/docs', describeRoute(showPage), async (c) =>
      sendCached(c, await page(new URL(c.req.url).origin + c.get('basePath')), PAGE_HEADERS),
    )
}

function withAgent(loadDocument: OpenApiDocument, agent: string): OpenApiDocument {
  return JSON.parse(JSON.stringify(loadDocument).replaceAll(EXAMPLE_AGENT, agent)) as OpenApiDocument
}
