import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Answer } from './analysis-prompt.ts'
import { requirementKinds, type Analysis, type Requirement } from './analysis.ts'
import { findPromptInjections } from './find-prompt-injections.ts'
import { MAX_BLOCKED_SCORE, verdictOf, verdicts, type Verdict } from './judged-pair.ts'
import type { Language } from '../words/language.ts'
import { localize } from '../words/localize.ts'
import { createQuoteFinder, type QuoteFinder } from './quote-finder.ts'
import texts from './texts.json' with { type: 'json' }

/** What an answer was given to. */
export type JudgedTexts = { readonly posting: string; readonly resume: string; readonly language: Language }

const MAX_LINES = 30
const MAX_LINE_LENGTH = 600
/** What an application has that proves nothing of what is required. */
const MIN_SCORE = 40
/** The best score of each verdict. */
const BEST: Readonly<Record<Verdict, number>> = { High: 100, Medium: 69, Low: 44 }
const RULES_OUT: ReadonlySet<Requirement['kind']> = new Set([
  'permit',
  'location',
  'language',
  'years',
  'degree',
])

/**
 * Holds a model's answer against the texts: what it quotes must stand there, and its score must follow from what it
 * found.
 */
export function checkAnswer(answer: Answer, about: JudgedTexts): Omit<Analysis, 'model'> {
  const inPosting = createQuoteFinder(about.posting)
  const inResume = createQuoteFinder(about.resume)
  const all = answer.requirements
    .slice(0, MAX_LINES)
    .map((one) => checkedRequirement(one, inPosting, inResume))
  const requirements = all.map(({ requirement }) => requirement).toSorted(byKind)
  const stated = Math.round(Math.min(100, Math.max(0, answer.overallScore)))
  const judged = lowest(answer.verdict, stated, requirements)
  const skills = requirements.filter(({ kind }) => kind === 'skill')
  return {
    ...judged,
    summary: line(answer.summary),
    coreStack: lines(answer.coreStack),
    requirements,
    matchingSkills: skills.filter(({ met }) => met === 'yes').map(({ requirement }) => requirement),
    missingSkills: skills.filter(({ met }) => met === 'no').map(({ requirement }) => requirement),
    strengths: lines(answer.strengths),
    gaps: lines(answer.gaps),
    suggestions: lines(answer.suggestions),
    redFlags: [...instructionFlags(about), ...lines(answer.redFlags)],
    salary: answer.salary === null ? null : line(answer.salary) || null,
    strategy: line(answer.strategy),
    statedScore: stated,
    unverified: all.reduce((sum, { invented }) => sum + invented, 0),
    language: about.language,
  }
}

type Checked = { readonly requirement: Requirement; readonly invented: number }

function checkedRequirement(
  one: Answer['requirements'][number],
  inPosting: QuoteFinder,
  inResume: QuoteFinder,
): Checked {
  const quote = found(one.quote, inPosting)
  const evidence = found(one.evidence, inResume)
  const requirement: Requirement = {
    kind: one.kind,
    requirement: line(one.requirement),
    importance: one.importance,
    quote: quote.text,
    evidence: evidence.text,
    met: metBy(one.met, evidence),
  }
  return { requirement, invented: Number(quote.invented) + Number(evidence.invented) }
}

type Quoted = { readonly text: string | null; readonly invented: boolean }

function found(statement: string | null, holds: QuoteFinder): Quoted {
  if (statement === null || statement.trim() === '') return { text: null, invented: false }
  return holds(statement) ? { text: line(statement), invented: false } : { text: null, invented: true }
}

/** What nothing shows is not fully met; what is shown by invented words is not met. */
function metBy(met: Requirement['met'], { text, invented }: Quoted): Requirement['met'] {
  if (invented) return 'no'
  return text === null && met === 'yes' ? 'partly' : met
}

function byKind(one: Requirement, other: Requirement): number {
  return gravity(one) - gravity(other)
}

function gravity({ kind, importance }: Requirement): number {
  return (importance === 'must' ? 0 : requirementKinds.length) + requirementKinds.indexOf(kind)
}

/**
 * The lower of what the model says and of what its findings support: a posting that talks it into a hundred has shown
 * nothing.
 */
function lowest(
  statement: Verdict,
  stated: number,
  requirements: readonly Requirement[],
): Pick<Analysis, 'overallScore' | 'verdict'> {
  const musts = requirements.filter(({ importance }) => importance === 'must')
  const blocked = musts.some(({ kind, met }) => met === 'no' && RULES_OUT.has(kind))
  const supported =
    MIN_SCORE + Math.round((100 - MIN_SCORE) * shareMet(musts.length > 0 ? musts : requirements))
  const overallScore = Math.min(stated, supported, BEST[statement], blocked ? MAX_BLOCKED_SCORE : 100)
  const follows = verdictOf(overallScore, blocked)
  return {
    overallScore,
    verdict: verdicts.indexOf(follows) > verdicts.indexOf(statement) ? follows : statement,
  }
}

function shareMet(requirements: readonly Requirement[]): number {
  const worth = { yes: 1, partly: 0.5, no: 0 } as const
  return requirements.reduce((sum, { met }) => sum + worth[met], 0) / Math.max(1, requirements.length)
}

function instructionFlags({ posting, language }: JudgedTexts): readonly string[] {
  return findPromptInjections(posting).map((text) =>
    localize(texts.analysis.instructions, language, { text: line(text) }),
  )
}

function lines(all: readonly string[]): string[] {
  return all
    .map(line)
    .filter((one) => one !== '')
    .slice(0, MAX_LINES)
}

function line(text: string): string {
  return toSingleLine(text, MAX_LINE_LENGTH)
}
