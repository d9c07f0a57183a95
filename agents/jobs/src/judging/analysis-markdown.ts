import type { Analysis, Requirement } from './analysis.ts'
import { verdictNames } from './fit-lines.ts'

const WORDS = {
  zh: {
    score: '匹配度',
    stack: '核心技术栈',
    requirements: '关键要求',
    matching: '匹配的技能',
    missing: '缺少的技能',
    strengths: '优势',
    gaps: '差距',
    suggestions: '简历建议',
    salary: '薪资',
    flags: '风险提示',
    strategy: '策略',
    met: { yes: '符合', partly: '部分符合', no: '不符合' },
    nice: '加分',
    none: '无',
    notFound: '简历中未找到',
    unverified: (count: number) => `有${count}处引文在原文中找不到，已去掉。`,
  },
  en: {
    score: 'Match Score',
    stack: 'Core Stack',
    requirements: 'Key Requirements',
    matching: 'Matching Skills',
    missing: 'Missing Skills',
    strengths: 'Strengths',
    gaps: 'Gaps',
    suggestions: 'Suggestions for the Resume',
    salary: 'Salary',
    flags: 'Red Flags',
    strategy: 'Strategy',
    met: { yes: 'met', partly: 'partly', no: 'not met' },
    nice: 'nice to have',
    none: 'None',
    notFound: 'not found in the resume',
    unverified: (count: number) => `Quotes that stand nowhere in the texts, and were dropped: ${count}.`,
  },
} as const

type Words = (typeof WORDS)[keyof typeof WORDS]

/** An analysis for people to read. */
export function analysisMarkdown(analysis: Analysis): string {
  const words = WORDS[analysis.language]
  const verdict = verdictNames[analysis.language][analysis.verdict]
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [
      `${words.score}: ${analysis.overallScore}/100 (${verdict})`,
      [plain(analysis.summary), ...dropped(analysis, words)],
    ],
    [words.stack, [analysis.coreStack.map(plain).join(', ') || words.none]],
    [words.requirements, analysis.requirements.map((one) => requirementLine(one, words))],
    [words.matching, bullets(analysis.matchingSkills, words)],
    [words.missing, bullets(analysis.missingSkills, words)],
    [words.strengths, bullets(analysis.strengths, words)],
    [words.gaps, bullets(analysis.gaps, words)],
    [words.suggestions, bullets(analysis.suggestions, words)],
    [words.salary, [analysis.salary === null ? words.none : plain(analysis.salary)]],
    [words.flags, bullets(analysis.redFlags, words)],
    [words.strategy, [plain(analysis.strategy)]],
  ]
  return parts.map(([heading, lines]) => `## ${heading}\n\n${lines.join('\n')}`).join('\n\n')
}

function dropped({ unverified }: Analysis, words: Words): readonly string[] {
  return unverified > 0 ? ['', words.unverified(unverified)] : []
}

function requirementLine(one: Requirement, words: Words): string {
  const kind = one.importance === 'nice' ? ` (${words.nice})` : ''
  const quote = one.quote === null ? '' : ` “${plain(one.quote)}”`
  const evidence = one.evidence === null ? words.notFound : `“${plain(one.evidence)}”`
  return `- **${words.met[one.met]}**${kind}: ${plain(one.requirement)}${quote} → ${evidence}`
}

function bullets(all: readonly string[], words: Words): readonly string[] {
  return all.length === 0 ? [words.none] : all.map((one) => `- ${plain(one)}`)
}

/** Strangers' words make no links, pictures or tags of ours. */
function plain(text: string): string {
  return text.replaceAll(/[<>[\]`]/g, (sign) => `\\${sign}`)
}
