import type { PillarName, Relation, TenGod } from '../chart/chart.ts'
import { inEnglish } from '../chart/english-names.ts'
import type { Phrase } from '../language.ts'
import { areaThemes, familyOf, type Area } from './area-themes.ts'
import { bondOf, bondTexts, pillarDomains } from './bond-texts.ts'
import { godThemes } from './god-themes.ts'

export { areaNames, areas, type Area } from './area-themes.ts'

/** What a year may turn one's mind to, by a table: an interpretation, never an event. */
export type Theme = {
  /** The ten god whose row of the table it is. */
  readonly by: TenGod
  readonly words: Phrase
}

/** In which area of life a pillar of the chart is read. */
const touched: Readonly<Record<Exclude<Area, 'energy'>, PillarName>> = {
  career: 'month',
  relationship: 'day',
  self: 'year',
}

type TenGods = { readonly tenGod: TenGod; readonly branchTenGod: TenGod }

/**
 * Career and self go by the ten god of the year's stem, closeness and energy by that of its branch; where the year
 * stands in a relation to the pillar of an area, that is said too.
 */
export function themesOf(
  { tenGod, branchTenGod }: TenGods,
  relations: readonly Relation[],
): Readonly<Record<Area, Theme>> {
  const theme = (area: Area, by: TenGod): Theme => {
    const base = areaThemes[familyOf(by)][area]
    const bond = area === 'energy' ? undefined : bondTouching(relations, touched[area])
    return { by, words: bond ? joinPhrases(base, bond) : base }
  }
  return {
    career: theme('career', tenGod),
    relationship: theme('relationship', branchTenGod),
    energy: theme('energy', branchTenGod),
    self: theme('self', tenGod),
  }
}

/** The year in one sentence, by the ten god of its stem. */
export function headlineOf(tenGod: TenGod): Phrase {
  return godThemes[tenGod]
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
