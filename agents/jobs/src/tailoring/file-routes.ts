import { Hono, type Context, type Handler } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Documents } from '../documents/documents.ts'
import {
  attachment,
  documentAnswer,
  documentResponse,
  type FileKind,
} from '../documents/document-response.ts'
import { limitBodySize, validateBody } from '@dragoman/agent-kit/json-body'
import { readFileForm } from '../read-file-form.ts'
import { filePath, jobPath, renderQuery, whichQuery } from './request-schemas.ts'
import type { Tailoring } from './tailoring.ts'
import type { Version } from './version.ts'

const MAX_BYTES = 20 * 1024 * 1024
/** What stands round a file in its form. */
const FORM_BYTES = 64 * 1024
const TOO_LARGE = 'file may have at most 20 MB'

const group = 'Tailored resumes'

const asFile = (kind: FileKind, summary: string): Operation => ({
  group,
  summary,
  description:
    'Made of the latest version, or of the one that is named. `x-open-marks` says how many of ' +
    'its claims do not trace to the base resume.',
  params: jobPath,
  query: renderQuery,
  responses: { 200: documentAnswer(kind) },
  errors: ['not-found', 'too-large', 'rate-limited', 'unavailable'],
})

const archive: Operation = {
  group,
  summary: 'Keep a PDF with a tailored resume',
  description:
    'A PDF that the client has made, as the field `file` of multipart/form-data. One of the same name is replaced.',
  params: jobPath,
  query: whichQuery,
  form: z.object({ file: z.file() }),
  responses: {
    201: {
      description: 'It is kept.',
      json: z.object({ filename: z.string(), size: z.int(), url: z.string() }),
    },
  },
  errors: ['not-found', 'too-large', 'storage-full', 'rate-limited'],
}

const fetched: Operation = {
  group,
  summary: 'Take a kept PDF back',
  params: filePath,
  responses: { 200: { description: 'The file, as it was sent.', contentType: 'application/pdf' } },
  errors: ['not-found'],
}

/** Tailored resumes as files: made of a version, or kept with one. */
export function tailoredFileRoutes(tailoring: Tailoring, documents: Documents): Hono<AppEnv> {
  const give =
    (kind: FileKind): Handler<AppEnv> =>
    async (c) => {
      const { template, paper, ...which } = validateBody(renderQuery, c.req.query())
      const version = await chosen(c, tailoring, which)
      const drawn = await documents[kind](
        c.get('userId'),
        version.content,
        { template, paper },
        c.req.raw.signal,
      )
      c.header('x-open-marks', String(version.openMarks))
      return documentResponse(c, drawn, kind, await tailoring.nameOf(c.get('userId'), version))
    }
  return new Hono<AppEnv>()
    .get('/tailor/:jobId/pdf', describeRoute(asFile('pdf', 'Take a tailored resume as a PDF')), give('pdf'))
    .get(
      '/tailor/:jobId/docx',
      describeRoute(asFile('docx', 'Take a tailored resume as a file of Word')),
      give('docx'),
    )
    .post(
      '/tailor/:jobId/pdf',
      describeRoute(archive),
      limitBodySize(MAX_BYTES + FORM_BYTES, TOO_LARGE),
      async (c) => {
        const version = await chosen(c, tailoring, validateBody(whichQuery, c.req.query()))
        const form = await sentFile(c)
        const bytes = new Uint8Array(await form.arrayBuffer())
        const pdf = { name: form.name, bytes }
        const store = await tailoring.versions.keepPdf(c.get('userId'), version.id, pdf)
        const folder = `${c.get('basePath')}/jobs/tailor/${version.jobId}/versions/${version.id}/files`
        return c.json({ ...store, url: `${folder}/${encodeURIComponent(store.filename)}` }, 201)
      },
    )
    .get('/tailor/:jobId/versions/:id/files/:filename', describeRoute(fetched), async (c) => {
      const { jobId, id, filename } = validateBody(filePath, c.req.param())
      const version = await tailoring.versions.get(c.get('userId'), id)
      if (version.jobId !== jobId) throw new ServiceError('not-found', 'File not found')
      const bytes = await tailoring.versions.readPdf(id, filename)
      return c.body(new Uint8Array(bytes), 200, {
        'content-type': 'application/pdf',
        'content-length': String(bytes.byteLength),
        'content-disposition': attachment(filename),
        'cache-control': 'private, no-cache',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
    })
}

type Which = z.infer<typeof whichQuery>

async function chosen(c: Context<AppEnv>, tailoring: Tailoring, which: Which): Promise<Version> {
  const { jobId } = validateBody(jobPath, c.req.param())
  const version = await tailoring.versions.find(c.get('userId'), { jobId, ...which })
  if (version) return version
  await tailoring.knowsJob(c.get('userId'), jobId)
  throw new ServiceError(
    'not-found',
    which.version === undefined
      ? `Job ${jobId} has no tailored resume: make one with POST /jobs/tailor/${jobId}`
      : 'Tailored version not found',
  )
}

async function sentFile(c: Context): Promise<File> {
  const { file: form } = await readFileForm(c)
  if (form.size > MAX_BYTES) throw new ServiceError('too-large', TOO_LARGE)
  return form
}
