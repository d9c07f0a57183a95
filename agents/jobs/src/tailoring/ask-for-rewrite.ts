import { z } from 'zod'

import { quoteUntrustedBlock, UNTRUSTED_DATA_RULE, type ToolModel } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Mark } from './truth-shapes.ts'

const RULES = [
  'Emphasize what fits the posting: move it up and give it room. Shorten what does not matter for it; ' +
    'leave out no employer, no school and no skill.',
  'Reorder within a section. Keep the structure: ' +
    'the same sections, employers, titles, schools, dates and contact lines, as Markdown.',
  "Adjust keywords: where the resume shows what the posting asks for, use the posting's word for it.",
  'Do not fabricate. Add no skill, tool, employer, title, degree, certificate, number, date, project or ' +
    'responsibility that the resume does not state, even where the posting asks for it. ' +
    'Do not raise what was done: a person who helped has not led. What the resume lacks stays lacking.',
  'Copy no sentence of the posting, and repeat no keyword for its own sake.',
  'Write in the language of the resume.',
]

const INSTRUCTIONS = [
  'You adapt a resume to one job posting. ' +
    'The user sends the result to an employer and answers for every word of it.',
  RULES.map((rule) => `- ${rule}`).join('\n'),
  '"content" is the whole tailored resume in Markdown, nothing left out or abbreviated. ' +
    '"suggestions" are 3 to 5 changes that matter most, of those you made or of those that the user should ' +
    'see to: type, section, the original words or null, the suggested ones, and the reason in one sentence.',
].join('\n\n')

/** A text of several pages; an answer may be as long as the resume, and has suggestions besides. In characters. */
const LIMITS = { resume: 60_000, posting: 30_000, marks: 4000, sentence: 300, suggestions: 5 }
const TOKENS = { least: 4000, most: 24_000, besides: 3000 }

/** All of them needed: what is optional, strict providers refuse. */
const answerShape = z.object({
  content: z.string(),
  suggestions: z.array(
    z.object({
      type: z.enum(['add', 'modify', 'remove']),
      section: z.string(),
      original: z.string().nullable(),
      suggested: z.string(),
      reason: z.string(),
    }),
  ),
})
export type RewriteAnswer = z.infer<typeof answerShape>

export type RewriteQuestion = {
  readonly resume: string
  readonly posting: { readonly title: string; readonly company: string; readonly description: string }
  /** An answer before this one, and what in it was not true. */
  readonly wrong?: { readonly content: string; readonly marks: readonly Mark[] }
}

/**
 * Has a model rewrite a resume. @throws ServiceError as the model does, `model-failed` for an answer that is no
 * rewriting
 */
export async function askForRewrite(
  model: ToolModel,
  question: RewriteQuestion,
  signal: AbortSignal,
): Promise<RewriteAnswer> {
  const { content, suggestions } = await model.object(
    {
      instructions: `${INSTRUCTIONS}\n\n${UNTRUSTED_DATA_RULE}`,
      text: textOf(question),
      schema: answerShape,
      maxOutputTokens: Math.min(TOKENS.most, Math.max(TOKENS.least, question.resume.length + TOKENS.besides)),
    },
    signal,
  )
  const text = unfenced(content)
  if (text === '')
    throw new ServiceError('model-failed', 'The model gave an empty resume: nothing was stored.')
  if (normalizeSpaces(text) === normalizeSpaces(question.resume)) {
    throw new ServiceError(
      'model-failed',
      'The model gave the resume back as it was: it is not tailored, and nothing was stored.',
    )
  }
  return { content: text, suggestions: suggestions.slice(0, LIMITS.suggestions) }
}

/** @throws ServiceError `too-large` for a resume that no model gives back whole */
export function refuseLongResume(resume: string): void {
  if (resume.length <= LIMITS.resume) return
  const most = LIMITS.resume.toLocaleString('en-US')
  throw new ServiceError(
    'too-large',
    `The resume has more than ${most} characters: a model would cut it short`,
  )
}

function textOf({ resume, posting, wrong }: RewriteQuestion): string {
  const { title, company, description } = posting
  const about = `${toSingleLine(title, 200)}\n${toSingleLine(company, 200)}\n\n${description}`
  const parts = [
    quoteUntrustedBlock('resume', resume, LIMITS.resume),
    quoteUntrustedBlock('posting', about, LIMITS.posting),
  ]
  if (wrong) {
    const lines = wrong.marks.map(
      ({ said, sentence }) => `- ${toSingleLine(said, 100)} — in: ${toSingleLine(sentence, LIMITS.sentence)}`,
    )
    parts.push(
      quoteUntrustedBlock('draft', wrong.content, LIMITS.resume),
      'The draft claims what the resume does not state. These are the claims, each with its sentence:',
      quoteUntrustedBlock('fabricated', lines.join('\n'), LIMITS.marks),
      'Tailor the resume again. Say nothing of these that the resume does not state; where a ' +
        'sentence lives by such a claim, take the sentence of the resume.',
    )
  }
  return parts.join('\n\n')
}

/** Some put the whole into a fence. */
function unfenced(content: string): string {
  const text = content.trim()
  return (/^```(?:markdown|md)?[^\S\n]*\n([\s\S]*)\n```$/u.exec(text)?.[1] ?? text).trim()
}

/** Texts that differ in white space alone are the same. */
export function normalizeSpaces(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}
