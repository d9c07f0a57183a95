import type { Selectable } from 'kysely'
import { z } from 'zod'

import type { ResumeRow } from '../tables.ts'
import { languages } from '../words/language.ts'

/** What is known of a resume besides its text. */
const resumeSummaryShape = z
  .object({
    id: z.int(),
    name: z.string(),
    language: z.enum(languages),
    isDefault: z.boolean(),
    useCount: z.int().describe('In how many applications, analyses and tailored versions it was used.'),
    version: z.int(),
    source: z.enum(['paste', 'pdf_upload', 'docx_upload', 'json_resume', 'linkedin']),
    originalFilename: z.string().exactOptional(),
    parseStatus: z.enum(['success', 'partial', 'failed', 'parsing']),
    parseErrors: z.array(z.string()).describe('What could not be read or understood.'),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .readonly()
  .meta({ id: 'ResumeSummary' })
export type ResumeSummary = z.infer<typeof resumeSummaryShape>

/** A resume as its user sees it. */
export const resumeShape = z
  .object({ ...resumeSummaryShape.unwrap().shape, content: z.string().describe('Markdown.') })
  .readonly()
  .meta({ id: 'Resume' })
export type Resume = z.infer<typeof resumeShape>

/** What a resume once was. */
export const versionShape = z
  .object({ version: z.int(), name: z.string(), createdAt: z.string() })
  .readonly()
  .meta({ id: 'ResumeVersion' })
export type ResumeVersion = z.infer<typeof versionShape>

/** All of a row but its text. */
export const SUMMARY_COLUMNS = [
  'id',
  'name',
  'language',
  'is_default',
  'use_count',
  'version',
  'source',
  'original_filename',
  'parse_status',
  'parse_errors',
  'created_at',
  'updated_at',
] as const

type SummaryRow = Pick<Selectable<ResumeRow>, (typeof SUMMARY_COLUMNS)[number]>

function summaryOf(row: SummaryRow): ResumeSummary {
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    isDefault: row.is_default === 1,
    useCount: row.use_count,
    version: row.version,
    source: row.source,
    ...(row.original_filename !== null && { originalFilename: row.original_filename }),
    parseStatus: row.parse_status,
    parseErrors: JSON.parse(row.parse_errors) as string[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Makes of a row what its user sees. */
export function resumeOf(row: SummaryRow & { readonly content: string }): Resume {
  return { ...summaryOf(row), content: row.content }
}
