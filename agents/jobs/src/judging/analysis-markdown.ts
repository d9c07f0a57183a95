import type { Analysis, Requirement } from './analysis.ts'
import type { Language } from '../words/language.ts'
import { localize } from '../words/localize.ts'
import texts from './texts.json' with { type: 'json' }

const { analysis: names } = texts

/** An analysis for people to read. */
export function analysisMarkdown(analysis: Analysis): string {
  const { language } = analysis
  const none = localize(names.none, language)
  const bullets = (all: readonly string[]): readonly string[] =>
    all.length === 0 ? [none] : all.map((one) => `- ${plain(one)}`)
  const score = `${analysis.overallScore}/100 (${localize(texts.verdicts[analysis.verdict], language)})`
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [`${localize(names.score, language)}: ${score}`, [plain(analysis.summary), ...unverified(analysis)]],
    [localize(names.stack, language), [analysis.coreStack.map(plain).join(', ') || none]],
    [
      localize(names.requirements, language),
      analysis.requirements.map((one) => requirementLine(one, language)),
    ],
    [localize(names.matching, language), bullets(analysis.matchingSkills)],
    [localize(names.missing, language), bullets(analysis.missingSkills)],
    [localize(names.strengths, language), bullets(analysis.strengths)],
    [localize(names.gaps, language), bullets(analysis.gaps)],
    [localize(names.suggestions, language), bullets(analysis.suggestions)],
    [localize(names.salary, language), [analysis.salary === null ? none : plain(analysis.salary)]],
    [localize(names.flags, language), bullets(analysis.redFlags)],
    [localize(names.strategy, language), [plain(analysis.strategy)]],
  ]
  return parts.map(([heading, lines]) => `## ${heading}\n\n${lines.join('\n')}`).join('\n\n')
}

function unverified({ unverified: count, language }: Analysis): readonly string[] {
  return count > 0 ? ['', localize(names.unverified, language, { count })] : []
}

function requirementLine(one: Requirement, language: Language): string {
  const kind = one.importance === 'nice' ? ` (${localize(names.nice, language)})` : ''
  const quote = one.quote === null ? '' : ` “${plain(one.quote)}”`
  const evidence = one.evidence === null ? localize(names.notFound, language) : `“${plain(one.evidence)}”`
  return `- **${localize(names[one.met], language)}**${kind}: ${plain(one.requirement)}${quote} → ${evidence}`
}

/** Strangers' words make no links, pictures or tags of ours. */
function plain(text: string): string {
  return text.replaceAll(/[<>[\]`]/g, (sign) => `\\${sign}`)
}
