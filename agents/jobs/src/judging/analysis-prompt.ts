import { z } from 'zod'

import { quoteUntrustedBlock, UNTRUSTED_DATA_RULE, type ModelQuestion } from 'dragoman/agents'
import type { Language } from '../words/language.ts'
import { requirementKinds } from './analysis.ts'
import { MAX_JUDGED_LENGTH, verdictShape } from './judged-pair.ts'

/** Raise it when the question changes: stored answers are then not used again. */
export const PROMPT_VERSION = 'analysis-2'

// Strict modes of providers know no optional fields and no bounds: what may be absent is null, and bounds are ours to
// hold.
const requirement = z.object({
  kind: z.enum(requirementKinds),
  requirement: z.string().describe('What is asked for, in a few words.'),
  importance: z.enum(['must', 'nice']),
  quote: z.string().nullable().describe('The words of the posting that ask for it, copied exactly.'),
  evidence: z
    .string()
    .nullable()
    .describe('The words of the resume that show it, copied exactly; null where nothing shows it.'),
  met: z.enum(['yes', 'partly', 'no']),
})

/** What a model answers. */
export const answerShape = z.object({
  verdict: verdictShape,
  overallScore: z.number().describe('From 0 to 100.'),
  summary: z.string().describe('The verdict in one or two sentences.'),
  coreStack: z.array(z.string()).describe('The technologies or methods that the work is done with.'),
  requirements: z.array(requirement).refine((all) => all.length > 0, 'Name the requirements of the posting.'),
  strengths: z.array(z.string()),
  gaps: z.array(z.string()).describe('What matters and is missing.'),
  suggestions: z.array(z.string()).describe('Concrete changes to the resume that stay true.'),
  redFlags: z.array(z.string()),
  salary: z
    .string()
    .nullable()
    .describe('What the posting says of pay, and how it stands; null where it says nothing.'),
  strategy: z.string().describe('Whether and how to apply.'),
})
export type Answer = z.infer<typeof answerShape>

const LANGUAGES: Readonly<Record<Language, string>> = { zh: 'Simplified Chinese', en: 'English' }

const RULES = [
  'Take each requirement from the posting. Begin with what may rule an application out: ' +
    'work permit, location, language, years, degree.',
  "quote: the posting's own words, copied exactly. " +
    "evidence: the resume's own words, copied exactly, or null where it shows nothing.\n" +
    '  Quotes are checked against the texts: never reword, translate or invent one.',
  'met is "no" where the resume shows that it is lacking. ' +
    'Where the resume does not mention a permit or a place, met is "partly".',
  'Be honest about poor fits: "do not apply" is a useful answer. High is 70 and more, Low less than 45.',
  'Suggestions change how true things are presented. They never add what the resume does not show.',
  'Red flags are what a careful applicant should know: unpaid work, vague pay, contradictions, ' +
    'signs that the job does not exist.',
]

const instructions = (language: Language): string =>
  `You judge how well one job seeker fits one job posting, for the seeker.

${RULES.map((rule) => `- ${rule}`).join('\n')}

${UNTRUSTED_DATA_RULE}
Write all your own words in ${LANGUAGES[language]}.`

/** The question whose answer is an analysis. */
export function createAnalysisPrompt(posting: string, resume: string, language: Language): ModelQuestion {
  return {
    instructions: instructions(language),
    text: [
      quoteUntrustedBlock('posting', posting, MAX_JUDGED_LENGTH),
      quoteUntrustedBlock('resume', resume, MAX_JUDGED_LENGTH),
    ].join('\n\n'),
    maxOutputTokens: 6000,
  }
}
