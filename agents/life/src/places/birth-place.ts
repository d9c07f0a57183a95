import { oneLine } from '@dragoman/agent-kit/words/one-line'
import { mistake } from '../birth/mistake.ts'
import type { Phrase } from '../language.ts'
import { distance } from './distance.ts'
import { LARGE, MOST_OF_NAME, type FoundPlace, type Place, type Places } from './place.ts'

const FIELD = 'birthPlace'
/** In km: the sun is two minutes apart at most, and neighbours of one name are one town and its parts. */
const ONE_WITHIN = 50
/** So many times the people of the next, and a large town: whoever says no more means it. */
const OUTWEIGHS = 8
/** So many are offered to choose from. */
const MOST_OFFERED = 5

const TOO_LONG: Phrase = {
  en: `may have at most ${MOST_OF_NAME} characters.`,
  zh: `最多 ${MOST_OF_NAME} 个字。`,
}

/**
 * The place that a user means. @throws ServiceError `invalid-input` where it is not known, or may be one of several: up to five of them are in
 * `details.places`, each with its country, its province or state, and `48.85,2.35` to choose it by
 */
export async function birthPlace(called: string, places: Places): Promise<Place> {
  if (called.trim().length > MOST_OF_NAME) throw mistake(FIELD, TOO_LONG)
  const found = apart(await places.find(called))
  const [first, second] = found
  if (!first) throw mistake(FIELD, notKnown(called))
  if (!isClear(first, second))
    throw mistake(FIELD, whichOf(called, found), { places: found.slice(0, MOST_OFFERED).map(offered) })
  const { latitude, longitude, zone, country } = first
  return { name: oneLine(called), latitude, longitude, zone, ...(country !== undefined && { country }) }
}

/** Of neighbours in one zone the most populous. */
function apart(found: readonly FoundPlace[]): readonly FoundPlace[] {
  const kept: FoundPlace[] = []
  for (const one of found) {
    const known = kept.some((other) => other.zone === one.zone && distance(one, other) <= ONE_WITHIN)
    if (!known) kept.push(one)
  }
  return kept
}

function isClear(first: FoundPlace, second: FoundPlace | undefined): boolean {
  if (!first.certain) return false
  return !second || (first.population >= LARGE && first.population >= OUTWEIGHS * second.population)
}

function offered({ name, country, admin, latitude, longitude, zone }: FoundPlace) {
  return {
    name,
    ...(country !== undefined && { country }),
    ...(admin !== undefined && { admin }),
    zone,
    coordinates: `${latitude},${longitude}`,
  }
}

function notKnown(called: string): Phrase {
  const name = oneLine(called, 40)
  return {
    en: `${JSON.stringify(name)} is not known. Name a larger town near it, with province or country ("Chengdu, China"), or give degrees north and east as 30.67,104.07.`,
    zh: `没有找到“${name}”。请写附近大一点的城市，带上省份或国家（比如“四川成都”），或者直接写北纬和东经：30.67,104.07。`,
  }
}

function whichOf(called: string, found: readonly FoundPlace[]): Phrase {
  const name = oneLine(called, 40)
  const each = found
    .slice(0, MOST_OFFERED)
    .map((place) => [place.name, place.admin, place.country].filter(Boolean))
  return {
    en: `${JSON.stringify(name)} is not clear; it may be ${each.map((one) => one.join(', ')).join('; ')}. Add the province, state or country, or give degrees north and east.`,
    zh: `“${name}”不够明确，可能是：${each.map((one) => one.join(' ')).join('；')}。请加上省份或国家，或者写北纬和东经。`,
  }
}
