import { Hono } from 'hono'
import { z } from 'zod'

import { described, type Operation } from '../agent/index.ts'
import type { HttpEnv } from '../transports/index.ts'
import type { OpenApiDocument, Route } from './openapi-document.ts'
import { answerPage } from './page.ts'

export type OpenApiOptions = {
  readonly version: string
  /** Every route of the server; asked once the first reader comes, when all are mounted. */
  readonly routes: () => readonly Route[]
}

const group = 'Server'

const showDocument: Operation = {
  group,
  summary: 'This description',
  answers: { 200: { description: 'OpenAPI 3.1.', json: z.looseObject({ openapi: z.string() }) } },
}

const showPage: Operation = {
  group,
  summary: 'The same as a page',
  answers: { 200: { description: 'The page.', type: 'text/html' } },
}

/** What may be asked of the server: for programs, and for people. */
export function openApi({ version, routes }: OpenApiOptions): Hono<HttpEnv> {
  let made: OpenApiDocument | undefined
  // Loaded for the first reader: most servers start without one.
  const document = async (): Promise<OpenApiDocument> => {
    const { openApiDocument } = await import('./openapi-document.ts')
    return (made ??= openApiDocument(routes(), version))
  }
  return new Hono<HttpEnv>()
    .get('/openapi.json', described(showDocument), async (c) => c.json(await document()))
    .get('/docs', described(showPage), async (c) => {
      const { docsPage } = await import('./docs-page.ts')
      return answerPage(c, 'dragoman: every route', docsPage(await document(), new URL(c.req.url).origin))
    })
}
