import type { PillarName, TenGod } from '../chart/chart.ts'
import type { Phrase } from '../language.ts'
import texts from './fortune-texts.json' with { type: 'json' }

type Table<Key extends string, Value = Phrase> = Readonly<Record<Key, Value>>

/** The areas of life of a reading. `energy` replaces health: a chart says nothing about health. */
export const areas = ['career', 'relationship', 'energy', 'self'] as const
export type Area = (typeof areas)[number]

/** 比劫, 食伤, 财, 官杀, 印: what is like the day master, what it feeds, what it curbs, what curbs it, what feeds it. */
export type Family = 'peer' | 'output' | 'wealth' | 'officer' | 'resource'

/** How a relation between stems or branches is read. */
export type Bond = 'union' | 'clash' | 'friction' | 'undertow'

const families: Table<TenGod, Family> = {
  比肩: 'peer',
  劫财: 'peer',
  食神: 'output',
  伤官: 'output',
  偏财: 'wealth',
  正财: 'wealth',
  七杀: 'officer',
  正官: 'officer',
  偏印: 'resource',
  正印: 'resource',
}

const bonds: Readonly<Record<string, Bond>> = {
  天干五合: 'union',
  地支六合: 'union',
  三合: 'union',
  半合: 'union',
  三会: 'union',
  六冲: 'clash',
  天干相冲: 'clash',
  相刑: 'friction',
  自刑: 'friction',
  六害: 'undertow',
  相破: 'undertow',
}

export function familyOf(tenGod: TenGod): Family {
  return families[tenGod]
}

/** @throws Error for a kind of relation that no chart has */
export function bondOf(kind: string): Bond {
  const bond = bonds[kind]
  if (!bond) throw new Error(`There is no relation ${kind}.`)
  return bond
}

export const areaNames: Table<Area> = texts.areaNames

/** The traditional reading of each family in each area, as an occasion: no events, no diagnosis, no orders. */
export const areaThemes: Table<Family, Table<Area>> = texts.areaThemes

/** The traditional reading of a year by the ten god of its stem, in one sentence. */
export const godThemes: Table<TenGod> = texts.godThemes

/** The reading of each bond. It continues the name of an area of life: 工作与环境方面…, "in work and surroundings …". */
export const bondTexts: Table<Bond> = texts.bonds

/** The area of life in which 《渊海子平》 reads each pillar. */
export const pillarDomains: Table<PillarName, { readonly pillar: Phrase; readonly of: Phrase }> =
  texts.pillarDomains

/** The reading of another person's day master by the family of its ten god. It tells how to meet, not how it ends. */
export const presence: Table<Family> = texts.presence

/** What the relations between two charts invite to. */
export const invitations: Table<Bond> = texts.invitations

/** How a score is computed. The weights are this program's choice. */
export const scoreMethod: Phrase = texts.scoreMethod

/** What a score is not. */
export const scoreMeaning: Phrase = texts.scoreMeaning
