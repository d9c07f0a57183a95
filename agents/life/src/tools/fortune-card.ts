import type { ToolResult } from 'dragoman/agents'
import type { Birth } from '../birth/birth.ts'
import { chartOf } from '../chart/chart-of.ts'
import { areaNames, areas, godThemes } from '../fortune/fortune-texts.ts'
import { fortuneMonths, fortuneYear, type FortuneMonth, type FortuneYear } from '../fortune/fortune-year.ts'
import type { Language } from '../language.ts'
import { describeChartAssumptions } from './describe-chart-assumptions.ts'
import { cardResult } from './card-result.ts'
import { fortuneText, type FortuneTextInput } from './fortune-text.ts'
import { warningFields } from './warning-fields.ts'
import texts from './card-texts.json' with { type: 'json' }

type FortuneCardInput = Pick<FortuneTextInput, 'zone' | 'language'> & {
  readonly birth: Birth
  readonly userId: string
  readonly year: number
  /** The number of earlier years. */
  readonly past: number
  /** Whether the user is under 18. The card then has no theme for relationships. */
  readonly isYoung?: boolean
}

/** The card of one year for a birth. */
export function fortuneCard({
  birth,
  userId,
  year,
  past,
  zone,
  language,
  isYoung = false,
}: FortuneCardInput): ToolResult {
  const chart = chartOf(birth)
  const card = {
    chart,
    year: fortuneYear(chart, year),
    months: fortuneMonths(chart, year),
    past: Array.from({ length: past }, (_, index) => fortuneYear(chart, year - past + index)),
    zone,
    language,
    areas: isYoung ? areas.filter((area) => area !== 'relationship') : areas,
  }
  return cardResult(
    { status: 'success', cardType: 'bazi_fortune', userId, ...fields(card) },
    fortuneText(card),
  )
}

function fields({ chart, year, months, past, zone, language, areas: card }: FortuneTextInput) {
  return {
    ...yearFields(year, language),
    zone,
    begins: year.begins,
    ends: year.ends,
    luck: year.luck ?? null,
    luckChange: year.luckChange ?? null,
    relations: year.relations,
    withLuck: year.withLuck,
    themes: card.map((area) => ({
      area,
      label: areaNames[area][language],
      by: year.themes[area].by,
      text: year.themes[area].words[language],
      isInterpretation: true,
    })),
    months: months.map(monthFields),
    past: past.map((each) => yearFields(each, language)),
    warnings: warningFields(chart, language),
    assumptions: describeChartAssumptions(chart, language),
    note: texts.reading[language],
  }
}

function yearFields({ year, age, pillar }: FortuneYear, language: Language) {
  const { name, tenGod, branchTenGod } = pillar
  return { year, age, pillar: name, tenGod, branchTenGod, headline: godThemes[tenGod][language] }
}

function monthFields({ month, pillar, begins, ends, relations }: FortuneMonth) {
  return { month, pillar: pillar.name, tenGod: pillar.tenGod, begins, ends, relations }
}
