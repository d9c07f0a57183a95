import { z } from 'zod'

const markKinds = [
  'fabricated_skill',
  'fabricated_company',
  'fabricated_title',
  'fabricated_degree',
  'fabricated_certificate',
  'changed_number',
  'changed_date',
  'invented_content',
] as const

export const markShape = z
  .object({
    kind: z.enum(markKinds),
    said: z.string().describe('The words that the base resume does not bear out.'),
    sentence: z.string().describe('Of a long one, the 300 characters around the words.'),
    line: z.int().describe('The line of the tailored text, from 1.'),
  })
  .readonly()

/** A claim that does not trace to the base resume. */
export type Mark = z.infer<typeof markShape>
export type MarkKind = Mark['kind']

/** What a check finds in one sentence. */
export type Finding = { readonly kind: MarkKind; readonly said: string }

export const keywordsShape = z
  .object({
    used: z.array(z.string()).readonly().describe('In the posting, the resume and the tailored text.'),
    safe: z
      .array(z.string())
      .readonly()
      .describe('In the posting and the resume, and not in the tailored text.'),
    notTrueForYou: z
      .array(z.string())
      .readonly()
      .describe('In the posting, and neither in the resume nor implied by it: not to be added.'),
  })
  .readonly()
/** The skills that a posting names. */
export type Keywords = z.infer<typeof keywordsShape>

const warningKinds = [
  'keyword_stuffing',
  'copied_from_posting',
  'lost_section',
  'lost_entry',
  'lost_skill',
  'moved_line',
  'other_language',
] as const

export const warningShape = z.object({ kind: z.enum(warningKinds), said: z.string() }).readonly()
/** What makes a rewriting worse without making it untrue. */
export type Warning = z.infer<typeof warningShape>

export const omissionsShape = z
  .object({ marks: z.int(), warnings: z.int() })
  .readonly()
  .describe('How many more there are: of a text that is no resume, only the first are told.')
export type Omissions = z.infer<typeof omissionsShape>

/** All marks, those that are not told included. */
export function countMarks(truth: { readonly marks: readonly Mark[]; readonly omitted?: Omissions }): number {
  return truth.marks.length + (truth.omitted?.marks ?? 0)
}
