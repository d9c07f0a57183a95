import type { Birth } from '../birth/birth.ts'
import type { Phrase } from '../language.ts'

export const stems = ['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛', '壬', '癸'] as const
export const branches = ['子', '丑', '寅', '卯', '辰', '巳', '午', '未', '申', '酉', '戌', '亥'] as const
export const elements = ['木', '火', '土', '金', '水'] as const
export const tenGods = [
  '比肩',
  '劫财',
  '食神',
  '伤官',
  '偏财',
  '正财',
  '七杀',
  '正官',
  '偏印',
  '正印',
] as const
export type Stem = (typeof stems)[number]
export type Branch = (typeof branches)[number]
export type Element = (typeof elements)[number]
export type TenGod = (typeof tenGods)[number]
export type Polarity = '阳' | '阴'
export type PillarName = 'year' | 'month' | 'day' | 'hour'

/**
 * A stem and a branch: one of the sixty pairs. All names are Chinese. `english-names.ts` has the English ones.
 */
export type StemBranch = { readonly name: string; readonly stem: Stem; readonly branch: Branch }

export type HiddenStem = {
  readonly stem: Stem
  readonly element: Element
  /** 本气, 中气, 余气. */
  readonly role: 'main' | 'middle' | 'residual'
  readonly tenGod: TenGod
}

/** One of the four pillars. */
export type Pillar = StemBranch & {
  readonly element: Element
  readonly polarity: Polarity
  readonly branchElement: Element
  /** Of the stem, seen from the day master; of the day's own stem 日主. */
  readonly tenGod: TenGod | '日主'
  readonly hidden: readonly HiddenStem[]
  /** 纳音. */
  readonly sound: string
  /** 星运: where the day master stands in its twelve phases in this branch; 自坐: this pillar's own stem. */
  readonly phase: string
  readonly ownPhase: string
  /** 旬空. */
  readonly voids: readonly [Branch, Branch]
}

/**
 * 大运: ten years under one pillar. Ages are whole years since birth, from 0; `nominalAge` is the age at which it begins
 * as China counts it (虚岁): 1 at birth, and one more with each calendar year.
 */
export type LuckCycle = StemBranch & {
  readonly tenGod: TenGod
  readonly startAge: number
  readonly endAge: number
  readonly nominalAge: number
  readonly startYear: number
  readonly endYear: number
}

/** Where the luck cycles begin: 起运, to the minute. */
export type Luck = {
  readonly forward: boolean
  /** From birth. */
  readonly after: {
    readonly years: number
    readonly months: number
    readonly days: number
    readonly hours: number
    readonly minutes: number
  }
  /** Counted on from what the clock of the birth's place showed, `1997-03-11T00:22`. */
  readonly start: string
  /** Without a known hour it may lie so many days either side. */
  readonly uncertainDays?: number
  readonly cycles: readonly LuckCycle[]
}

/** The five elements. `elementMethod` says how they are weighed. */
export type ElementBalance = {
  /** How many of the stems and branches are of each. */
  readonly counts: Readonly<Record<Element, number>>
  /** Weighted, in percent of all; they add up to 100. */
  readonly weights: Readonly<Record<Element, number>>
  /** 旺相休囚死 in the month of birth. */
  readonly season: Readonly<Record<Element, '旺' | '相' | '休' | '囚' | '死'>>
  /** An interpretation, and said to be one: by what supports the day master and what drains it. */
  readonly strength: { readonly label: 'strong' | 'balanced' | 'weak'; readonly supportPercent: number }
  readonly missing: readonly Element[]
}

/** 刑冲合害 and their like, between pillars. */
export type Relation = {
  /** `天干五合`, `地支六合`, `三合`, `半合`, `三会`, `六冲`, `六害`, `相刑`, `自刑`, `相破`, `天干相冲`. */
  readonly kind: string
  readonly of: readonly PillarName[]
  readonly names: readonly string[]
  /** What a union would become, where it has such: a condition of its becoming is not judged. */
  readonly element?: Element
}

/** 神煞: a star that tradition names, and the pillars in which it stands. */
export type Star = { readonly name: string; readonly of: readonly PillarName[] }

/**
 * One of the 24 solar terms, with the instant at which it begins (ISO 8601, UTC) and by the clock by which the birth
 * was told.
 */
export type SolarTerm = { readonly name: string; readonly at: string; readonly local: string }

/** What another reading of the same birth would give: the pillars that differ. */
export type Alternative = {
  /** Under which condition, as the beginning of a sentence. */
  readonly because: Phrase
  readonly pillars: Partial<Readonly<Record<PillarName, string>>>
}

export const warningCodes = [
  'unknown-hour',
  'near-term',
  'near-hour',
  'near-day',
  'dst',
  'ambiguous-time',
  'skipped-time',
  'true-solar-time',
  'no-place',
  'local-clock',
] as const
/** Where a chart rests on a choice or on minutes. `words` say it in both languages. */
export type ChartWarning = {
  readonly code: (typeof warningCodes)[number]
  readonly words: Phrase
  readonly alternative?: Alternative
}

/** By which clocks the pillars were found: each step from the time that was said to those that count. */
export type Clock = {
  /** As it was said, `1988-07-01T15:30`; a day alone where the hour is not known. */
  readonly said: string
  /** IANA; `UTC+8` where no place is known. */
  readonly zone: string
  /**
   * Minutes east of UTC, that part of it which was summer time, and what the sun over the place adds to the standard
   * clock.
   */
  readonly utcOffset: number
  readonly dst: number
  readonly solarCorrection: number
  /** By which day and hour were found. */
  readonly used: string
  /** ISO 8601 in UTC: by which year, month and luck were found. */
  readonly instant: string
}

/** A Four Pillars chart: a function of the birth and of nothing else. */
export type Chart = {
  readonly birth: Birth
  readonly clock: Clock
  /** The hour's is there only where the hour is known. */
  readonly pillars: {
    readonly year: Pillar
    readonly month: Pillar
    readonly day: Pillar
    readonly hour?: Pillar
  }
  readonly dayMaster: { readonly stem: Stem; readonly element: Element; readonly polarity: Polarity }
  /** By the year of the pillar, which begins at 立春. */
  readonly zodiac: string
  /** The lunar date of birth, as 二〇〇五年十一月廿三. */
  readonly lunarDate: string
  /** 胎元, 胎息, 命宫, 身宫: the last two need the hour. */
  readonly origins: {
    readonly conception: string
    readonly breath: string
    readonly lifePalace?: string
    readonly bodyPalace?: string
  }
  readonly elements: ElementBalance
  readonly relations: readonly Relation[]
  readonly stars: readonly Star[]
  readonly luck: Luck
  readonly terms: { readonly before: SolarTerm; readonly after: SolarTerm }
  readonly warnings: readonly ChartWarning[]
}
