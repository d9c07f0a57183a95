import { Hono, type Handler } from 'hono'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import { validateBody } from '@dragoman/agent-kit/json-body'
import { resumePath } from '../resumes/request-schemas.ts'
import { chosenResume } from '../resumes/chosen-resume.ts'
import type { Tables } from '../tables.ts'
import type { Documents } from './documents.ts'
import { documentAnswer, documentQuery, documentResponse, type FileKind } from './document-response.ts'

const asFile = (kind: FileKind, summary: string): Operation => ({
  group: 'Resumes',
  summary,
  description: 'Made from its Markdown at each request.',
  params: resumePath,
  query: documentQuery,
  responses: { 200: documentAnswer(kind) },
  errors: ['not-found', 'too-large', 'rate-limited', 'unavailable'],
})

/** Resumes as files. */
export function documentRoutes(database: Database, documents: Documents): Hono<AppEnv> {
  const db = database.withTables<Tables>()
  const give =
    (kind: FileKind): Handler<AppEnv> =>
    async (c) => {
      const { id } = validateBody(resumePath, c.req.param())
      const options = validateBody(documentQuery, c.req.query())
      const { content, language, name } = await chosenResume(db, c.get('userId'), id)
      const drawn = await documents[kind](
        c.get('userId'),
        content,
        { ...options, language },
        c.req.raw.signal,
      )
      return documentResponse(c, drawn, kind, name)
    }
  return new Hono<AppEnv>()
    .get('/resumes/:id/pdf', describeRoute(asFile('pdf', 'Download a resume as a PDF')), give('pdf'))
    .get('/resumes/:id/docx', describeRoute(asFile('docx', 'Download a resume as a Word file')), give('docx'))
}
