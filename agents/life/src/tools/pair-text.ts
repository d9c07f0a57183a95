import type { Chart } from '../chart/chart.ts'
import { bondOf, familyOf, invitations, presence, type Bond } from '../fortune/fortune-texts.ts'
import type { Pair, PairRelation } from '../fortune/chart-pair.ts'
import type { Language, Phrase } from '../language.ts'
import { birthLine, signsText } from './chart-text.ts'
import { line, joinList, nameInBoth, pillarName, pillarNames, reading } from './text-parts.ts'

export type PairTextInput = {
  readonly mine: Chart
  readonly theirs: Chart
  readonly pair: Pair
  /** Of the other one. */
  readonly name: string
  readonly language: Language
}

/** What is said of the other's data. */
export const PRIVACY: Phrase = {
  zh: '对方的出生信息没有存进你的资料，只留在这段对话里。',
  en: 'The other person’s birth data is not kept in your profile; it stands in this conversation alone.',
}
/** What the card is not. */
export const NO_VERDICT: Phrase = {
  zh: '这里不打分，也不判断合不合适：两个人怎么相处，由你们自己决定。',
  en: 'There is no score here and no verdict: how the two of you live together is yours to decide.',
}

/** Two charts in words. */
export function pairText(input: PairTextInput): string {
  const { mine, theirs, pair, name, language } = input
  const you: Phrase = { zh: '你', en: 'You' }
  const them: Phrase = { zh: name, en: name }
  const relations = pair.relations.map((relation) => relationText(relation, input))
  return [
    { zh: `你和${name}：两张命盘放在一起看`, en: `You and ${name}: two charts side by side` }[language],
    line(you, chartLine(mine, language), language),
    line(them, chartLine(theirs, language), language),
    ...presenceLines(input),
    line({ zh: '五行（你 / 对方）', en: 'Elements (you / them)' }, elementsText(pair, language), language),
    ...broughtLines(input),
    ...(relations.length > 0
      ? [
          line(
            { zh: '两盘之间', en: 'Between the charts' },
            relations.join({ zh: '；', en: '; ' }[language]),
            language,
          ),
        ]
      : []),
    ...bondsOf(pair).map((bond) => `- ${invitations[bond][language]}`),
    ...warningLines(input),
    NO_VERDICT[language],
    PRIVACY[language],
    reading[language],
  ].join('\n')
}

/** The kinds of relations that there are between two charts, each once. */
export function bondsOf({ relations }: Pair): Bond[] {
  return [...new Set(relations.map(({ kind }) => bondOf(kind)))]
}

function chartLine(chart: Chart, language: Language): string {
  const pillars = pillarNames.flatMap((at) => {
    const pillar = chart.pillars[at]
    return pillar ? [nameInBoth(pillar.name, language)] : []
  })
  const { stem } = chart.dayMaster
  const master = { zh: `日主${stem}`, en: `day master ${nameInBoth(stem, language)}` }[language]
  return `${birthLine(chart, language)}${language === 'zh' ? '；' : '; '}${pillars.join(' ')}${language === 'zh' ? '；' : '; '}${master}`
}

function presenceLines({ pair, name, language }: PairTextInput): string[] {
  const { theirsToMine, mineToTheirs } = pair.tenGods
  const [first, second] = [presence[familyOf(theirsToMine)], presence[familyOf(mineToTheirs)]]
  return language === 'zh'
    ? [
        `从你看，${name}的日主是${theirsToMine}（解读）：${first.zh}`,
        `从${name}看，你的日主是${mineToTheirs}（解读）：${second.zh}`,
      ]
    : [
        `To you, ${name}’s day master is ${nameInBoth(theirsToMine, language)} (an interpretation): ${first.en}.`,
        `To ${name}, yours is ${nameInBoth(mineToTheirs, language)} (an interpretation): ${second.en}.`,
      ]
}

function elementsText({ elements }: Pair, language: Language): string {
  return joinList(
    elements.map(({ element, mine, theirs }) => `${nameInBoth(element, language)} ${mine}% / ${theirs}%`),
    language,
  )
}

function broughtLines({ pair: { brought }, name, language }: PairTextInput): string[] {
  const names = (of: Pair['brought']['toMine']): string =>
    joinList(
      of.map((each) => nameInBoth(each, language)),
      language,
    )
  const texts = [
    { of: brought.toMine, words: { zh: `${name}多而你少的`, en: `Much with ${name}, little with you` } },
    { of: brought.toTheirs, words: { zh: `你多而${name}少的`, en: `Much with you, little with ${name}` } },
  ]
  return texts.flatMap(({ of, words }) => (of.length > 0 ? [line(words, names(of), language)] : []))
}

function relationText(
  { kind, names, mine, theirs, element }: PairRelation,
  { name, language }: PairTextInput,
): string {
  const at = (of: PairRelation['mine']): string =>
    joinList(
      of.map((each) => pillarName(each, language)),
      language,
    )
  const signs = signsText(names, kind, language)
  if (language === 'zh') {
    return `${signs}（你的${at(mine)}与${name}的${at(theirs)}${element ? `，属${element}` : ''}）`
  }
  const towards = element ? `, towards ${nameInBoth(element, language)}` : ''
  return `${signs} [your ${at(mine)}, their ${at(theirs)}${towards}]`
}

function warningLines({ mine, theirs, name, language }: PairTextInput): string[] {
  const of = (whose: Phrase, chart: Chart): string[] =>
    chart.warnings.map(({ words }) => `- ${line(whose, words[language], language)}`)
  const all = [...of({ zh: '你', en: 'You' }, mine), ...of({ zh: name, en: name }, theirs)]
  return all.length > 0 ? [{ zh: '要留意的：', en: 'To keep in mind:' }[language], ...all] : []
}
