import type { Selectable } from 'kysely'
import { z } from 'zod'

import type { TailoredRow } from '../tables.ts'
import { countMarks, keywordsShape, markShape, omissionsShape, warningShape } from './truth-shapes.ts'

export const suggestionShape = z
  .object({
    type: z.enum(['add', 'modify', 'remove']),
    section: z.string(),
    original: z.string().nullable(),
    suggested: z.string(),
    reason: z.string(),
    doubtful: z.boolean().describe('It names something that the base resume does not bear out.'),
  })
  .readonly()
export type Suggestion = z.infer<typeof suggestionShape>

const truthShape = z
  .object({
    clean: z.boolean().describe('Every claim traces to the base resume.'),
    marks: z.array(markShape).readonly(),
    warnings: z.array(warningShape).readonly(),
    keywords: keywordsShape,
    omitted: omissionsShape.exactOptional(),
  })
  .readonly()

const changeShape = z
  .object({
    from: z
      .union([z.literal('base'), z.int()])
      .describe('The base resume, or the number of the version, that it was made of.'),
    added: z.int().describe('Lines.'),
    removed: z.int(),
    sections: z.array(z.string()).readonly(),
  })
  .readonly()
export type Change = z.infer<typeof changeShape>

/** A version as lists show it. */
const summary = z.object({
  id: z.int(),
  jobId: z.int(),
  resumeId: z.int(),
  version: z.int().describe('Counted for each job and resume, from 1.'),
  isLatest: z.boolean(),
  origin: z.enum(['model', 'edit', 'restore']),
  model: z.string().nullable(),
  resumeVersion: z.int().describe("The base resume's version that it was made of."),
  change: changeShape,
  openMarks: z.int().describe('Claims that do not trace to the base resume.'),
  createdAt: z.string(),
})
export type Summary = Readonly<z.infer<typeof summary>>

/** The same with its text, as lists show it. */
export const listedShape = summary
  .extend({
    content: z.string().describe('Markdown.'),
    suggestions: z.array(z.string()).readonly().describe('Each in one sentence.'),
    isNew: z.literal(false).describe('As in the answer that made it, where it may be true.'),
  })
  .readonly()
  .meta({ id: 'TailoredSummary' })
export type ListedVersion = z.infer<typeof listedShape>

/** The same with its text. */
export const wholeVersion = summary.extend({
  content: z.string().describe('Markdown.'),
  suggestions: z.array(suggestionShape).readonly(),
  truth: truthShape,
})
export const versionShape = wholeVersion.readonly().meta({ id: 'TailoredVersion' })
/** A resume rewritten for one posting. */
export type Version = z.infer<typeof versionShape>

type SummaryRow = Omit<Selectable<TailoredRow>, 'content' | 'suggestions'>
/** A row of a list, without its text. */
export type ListRow = Omit<Selectable<TailoredRow>, 'content'> & { readonly size: number | string }

export function listedOf(row: ListRow, content: string): ListedVersion {
  const suggestions = (JSON.parse(row.suggestions) as readonly Suggestion[]).map(suggestionText)
  return { ...summaryOf(row), content, suggestions, isNew: false }
}

/** A version of a list without its text. */
export function withoutText({
  content: _content,
  suggestions: _suggestions,
  isNew: _isNew,
  ...rest
}: ListedVersion): Summary {
  return rest
}

function suggestionText({ section, suggested, reason }: Suggestion): string {
  const place = section === '' ? '' : `${section}: `
  return `${place}${suggested}${reason === '' ? '' : ` (${reason})`}`
}

function summaryOf(row: SummaryRow): Summary {
  const truth = JSON.parse(row.truth) as Partial<Version['truth']>
  return {
    id: row.id,
    jobId: row.job_id,
    resumeId: row.resume_id,
    version: row.version,
    isLatest: row.is_latest === 1,
    origin: row.origin,
    model: row.model,
    resumeVersion: row.resume_version,
    change: JSON.parse(row.change) as Change,
    openMarks: countMarks({ marks: [], ...truth }),
    createdAt: row.created_at,
  }
}

export function versionOf(row: Selectable<TailoredRow>): Version {
  return {
    ...summaryOf(row),
    content: row.content,
    suggestions: JSON.parse(row.suggestions) as readonly Suggestion[],
    truth: JSON.parse(row.truth) as Version['truth'],
  }
}
