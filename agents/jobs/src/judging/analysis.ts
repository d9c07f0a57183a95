import { z } from 'zod'

import { languages } from '../words/language.ts'
import { metShape, verdictShape } from './judged-pair.ts'

/** The ones that may rule an application out come first. */
export const requirementKinds = [
  'permit',
  'location',
  'language',
  'years',
  'degree',
  'skill',
  'experience',
  'other',
] as const

const requirementShape = z.object({
  kind: z.enum(requirementKinds),
  requirement: z.string(),
  importance: z.enum(['must', 'nice']),
  quote: z.string().nullable().describe('Words of the posting; null: what was given stands nowhere in it.'),
  evidence: z.string().nullable().describe('Words of the resume; null: not found.'),
  met: metShape.exclude(['unknown']),
})
export type Requirement = z.infer<typeof requirementShape>

/** What came of an analysis, once it was checked. */
export const analysisShape = z.object({
  overallScore: z.int().describe('0 to 100, no higher than what was found supports.'),
  verdict: verdictShape,
  summary: z.string(),
  coreStack: z.array(z.string()),
  requirements: z.array(requirementShape).describe('What may rule an application out first.'),
  matchingSkills: z.array(z.string()),
  missingSkills: z.array(z.string()),
  strengths: z.array(z.string()),
  gaps: z.array(z.string()),
  suggestions: z.array(z.string()),
  redFlags: z.array(z.string()),
  salary: z.string().nullable(),
  strategy: z.string(),
  statedScore: z.int().describe('What the model said, before it was checked.'),
  unverified: z.int().describe('How many quotes stand nowhere in the texts, and were dropped.'),
  model: z.string(),
  language: z.enum(languages),
})
export type Analysis = z.infer<typeof analysisShape>

/** One that is kept. `cached`: it was made before. */
export const storedAnalysisShape = analysisShape
  .extend({
    id: z.int(),
    jobId: z.int(),
    resumeId: z.int(),
    createdAt: z.string(),
    cached: z.boolean(),
    markdown: z.string().describe('The same for people.'),
  })
  .meta({ id: 'Analysis' })
export type StoredAnalysis = z.infer<typeof storedAnalysisShape>
