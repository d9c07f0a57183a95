import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import type { Posting } from '../postings/posting.ts'
import { skillNamed } from '../skills/skill-table.ts'
import { localize, type BilingualText } from '../words/localize.ts'
import type { Prescore } from './prescore.ts'
import texts from './texts.json' with { type: 'json' }

const { fit: names } = texts

/** A prescore as a model or a person reads it. */
export function formatPrescore(posting: Pick<Posting, 'id' | 'title' | 'company'>, result: Prescore): string {
  const { language } = result
  const colon = localize(names.colon, language)
  const list = (name: BilingualText, skills: readonly string[]): string[] => {
    const all = skills.map((skill) => (language === 'zh' ? (skillNamed(skill)?.zh ?? skill) : skill))
    return all.length === 0
      ? []
      : [`${localize(name, language)}${colon}${all.join(localize(names.comma, language))}`]
  }
  const each = (name: BilingualText, all: readonly string[]): string[] =>
    all.map((line) => `${localize(name, language)}${colon}${quoteUntrustedLine(line, 300)}`)
  const title = `${quoteUntrustedLine(posting.title, 120)} — ${quoteUntrustedLine(posting.company, 120)}`
  const reasons = result.parts.filter(({ weight, blocks }) => weight > 0 && !blocks)
  return [
    `${localize(names.head, language)}${colon}${scoreText(result)} — ${title} (id ${posting.id})`,
    ...(result.note ? [result.note] : []),
    ...each(names.blocks, result.blockers),
    ...each(names.warns, result.warnings),
    ...list(names.has, result.keywords),
    ...list(names.lacks, result.missing),
    ...each(
      names.by,
      reasons.map(({ says }) => says),
    ),
  ].join('\n')
}

function scoreText({ score, verdict, language }: Prescore): string {
  if (score === null || verdict === null) return localize(names.noScore, language)
  return `${score}/100 (${localize(texts.verdicts[verdict], language)})`
}
