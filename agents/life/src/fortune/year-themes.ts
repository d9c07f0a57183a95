import type { PillarName, Relation, TenGod } from '../chart/chart.ts'
import { inEnglish } from '../chart/english-names.ts'
import type { Phrase } from '../language.ts'
import { areaThemes, bondOf, bondTexts, familyOf, pillarDomains, type Area } from './fortune-texts.ts'

/** What a year brings to mind, by a table: an interpretation, never an event. */
export type YearTheme = {
  /** The ten god whose row of the table it is. */
  readonly by: TenGod
  readonly words: Phrase
}

/** The pillar of the chart that belongs to an area. */
const areaPillars: Readonly<Record<Exclude<Area, 'energy'>, PillarName>> = {
  career: 'month',
  relationship: 'day',
  self: 'year',
}

type TenGods = { readonly tenGod: TenGod; readonly branchTenGod: TenGod }

/**
 * Career and self follow the ten god of the year's stem, relationship and energy that of its branch. If the year has a
 * relation to the pillar of an area, the theme says so.
 */
export function pickYearThemes(
  { tenGod, branchTenGod }: TenGods,
  relations: readonly Relation[],
): Readonly<Record<Area, YearTheme>> {
  const theme = (area: Area, by: TenGod): YearTheme => {
    const base = areaThemes[familyOf(by)][area]
    const bond = area === 'energy' ? undefined : bondTouching(relations, areaPillars[area])
    return { by, words: bond ? joinPhrases(base, bond) : base }
  }
  return {
    career: theme('career', tenGod),
    relationship: theme('relationship', branchTenGod),
    energy: theme('energy', branchTenGod),
    self: theme('self', tenGod),
  }
}

function bondTouching(relations: readonly Relation[], pillar: PillarName): Phrase | undefined {
  const found = relations.find(({ of }) => of.includes(pillar))
  if (!found) return undefined
  const { zh, en } = bondTexts[bondOf(found.kind)]
  const domain = pillarDomains[pillar]
  return {
    zh: `流年与${domain.pillar.zh}${found.kind}，${domain.of.zh}方面${zh}`,
    en: `The year meets your ${domain.pillar.en} (${inEnglish(found.kind)}): in ${domain.of.en} ${en}`,
  }
}

function joinPhrases(first: Phrase, second: Phrase): Phrase {
  return { zh: `${first.zh}${second.zh}`, en: `${first.en} ${second.en}` }
}
