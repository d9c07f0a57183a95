import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import type { Posting } from '../postings/posting.ts'
import { skillNamed } from '../skills/table.ts'
import type { Language } from '../words/language.ts'
import type { Verdict } from './judged-pair.ts'
import type { Prescore } from './prescore.ts'

export const verdictNames: Readonly<Record<Language, Readonly<Record<Verdict, string>>>> = {
  zh: { High: '高', Medium: '中', Low: '低' },
  en: { High: 'High', Medium: 'Medium', Low: 'Low' },
}

const WORDS = {
  zh: {
    head: '快速匹配',
    has: '匹配',
    lacks: '缺少',
    blocks: '硬性障碍',
    warns: '注意',
    by: '依据',
    and: '、',
    colon: '：',
  },
  en: {
    head: 'Quick fit',
    has: 'Has',
    lacks: 'Lacks',
    blocks: 'Blocker',
    warns: 'Check',
    by: 'By',
    and: ', ',
    colon: ': ',
  },
} as const

/** A prescore as a model or a person reads it. */
export function fitLines(posting: Pick<Posting, 'id' | 'title' | 'company'>, result: Prescore): string {
  const words = WORDS[result.language]
  const list = (name: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`${name}${words.colon}${all.join(words.and)}`]
  const each = (name: string, all: readonly string[]): string[] =>
    all.map((line) => `${name}${words.colon}${quoteUntrustedLine(line, 300)}`)
  const named = (skills: readonly string[]): string[] =>
    skills.map((name) => (result.language === 'zh' ? (skillNamed(name)?.zh ?? name) : name))
  return [
    `${words.head}${words.colon}${scored(result)} — ${quoteUntrustedLine(posting.title, 120)} — ${quoteUntrustedLine(posting.company, 120)} (id ${posting.id})`,
    ...(result.note ? [result.note] : []),
    ...each(words.blocks, result.blockers),
    ...each(words.warns, result.warnings),
    ...list(words.has, named(result.keywords)),
    ...list(words.lacks, named(result.missing)),
    ...each(
      words.by,
      result.parts.filter(({ weight, blocks }) => weight > 0 && !blocks).map(({ says }) => says),
    ),
  ].join('\n')
}

function scored({ score, verdict, language }: Prescore): string {
  if (score === null || verdict === null) return language === 'zh' ? '无分数' : 'no score'
  return `${score}/100 (${verdictNames[language][verdict]})`
}
