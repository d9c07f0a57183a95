import { normalForm } from 'dragoman/events'
import type { Context } from 'hono'
import { z } from 'zod'

import type { OperationResponse } from 'dragoman/agents'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Drawing } from './drawing.ts'
import { papers, templates } from './templates.ts'

const TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const

/** In code points. */
const MAX_REPLACED_CHARACTERS = 100

export type FileKind = keyof typeof TYPES

/** How a document is asked for in a query. */
export const documentQuery = z.object({
  template: z
    .enum(templates, { error: `template must be one of: ${templates.join(', ')}` })
    .default('classic')
    .describe('classic: black, centered. modern: sans, one colour. compact: as much as a page holds.'),
  paper: z.enum(papers, { error: `paper must be one of: ${papers.join(', ')}` }).default('a4'),
})

/** What is said of a route that gives a document. */
export function documentAnswer(kind: FileKind): OperationResponse {
  return {
    description: 'The file.',
    contentType: TYPES[kind],
    headers: {
      'content-disposition': 'Its name, in UTF-8 as RFC 8187 has it.',
      'x-replaced-characters':
        'The characters that no font has, percent-encoded; in the file □, or the letter that ' +
        'it is a form of, stands for each.',
    },
  }
}

/** Gives a document to be kept under a name. */
export function documentResponse(
  c: Context,
  { bytes, replaced }: Drawing,
  kind: FileKind,
  name: string,
): Response {
  return c.body(bytes, 200, {
    'content-type': TYPES[kind],
    'content-length': String(bytes.byteLength),
    'content-disposition': attachment(`${fileName(name)}.${kind}`),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    ...(replaced.length > 0 && {
      'x-replaced-characters': replacedSigns(replaced),
    }),
  })
}

/** A sign may bear marks without number; no client reads a head of more than some kilobytes. */
function replacedSigns(replaced: readonly string[]): string {
  const points = replaced
    .slice(0, MAX_REPLACED_CHARACTERS)
    .flatMap((sign) => Array.from(sign.slice(0, MAX_REPLACED_CHARACTERS)))
  return encodeURIComponent(points.slice(0, MAX_REPLACED_CHARACTERS).join('').toWellFormed())
}

/** What no system takes for a path, and every one takes as a name. */
function fileName(name: string): string {
  const stem = toSingleLine(name.replaceAll(/[/\\:*?"<>|\p{Cs}]/gu, ' '), 100).replaceAll(
    /^[. ]+|(?<![. ])[. ]+$/g,
    '',
  )
  return stem === '' ? 'resume' : stem
}

/** A file's name for every browser, and the true one for those that read RFC 8187. */
export function attachment(name: string): string {
  const letters = normalForm(name, 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\u0020-\u007E]|["\\%]/g, '_')
  const ascii = /^[^a-z\d]*[a-z\d].*\./i.test(letters) ? letters : letters.replace(/^.*(?=\.)/, 'resume')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
