import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { fieldError } from '../birth/field-error.ts'
import type { Phrase } from '../language.ts'
import { distance } from './distance.ts'
import { LARGE_POPULATION, MAX_PLACE_NAME_LENGTH, type FoundPlace, type Place, type Places } from './place.ts'

const FIELD = 'birthPlace'
/** In km: the sun is two minutes apart at most, and neighbours of one name are one town and its parts. */
const NEIGHBOR_KM = 50
/** So many times the people of the next, and a large town: whoever says no more means it. */
const DOMINANT_RATIO = 8
/** So many are offered to choose from. */
const MAX_CHOICES = 5

const TOO_LONG: Phrase = {
  en: `may have at most ${MAX_PLACE_NAME_LENGTH} characters.`,
  zh: `最多 ${MAX_PLACE_NAME_LENGTH} 个字。`,
}

/**
 * The place that a user means. @throws ServiceError `invalid-input` where it is not known, or may be one of several: up
 * to five of them are in `details.places`, each with its country, its province or state, and `48.85,2.35` to choose it
 * by
 */
export async function findBirthPlace(called: string, places: Places): Promise<Place> {
  if (called.trim().length > MAX_PLACE_NAME_LENGTH) throw fieldError(FIELD, TOO_LONG)
  const found = mergeNeighbors(await places.find(called))
  const [first, second] = found
  if (!first) throw fieldError(FIELD, unknownPlaceText(called))
  if (!isClear(first, second))
    throw fieldError(FIELD, ambiguousPlaceText(called, found), {
      places: found.slice(0, MAX_CHOICES).map(choiceOf),
    })
  const { latitude, longitude, zone, country } = first
  return { name: toSingleLine(called), latitude, longitude, zone, ...(country !== undefined && { country }) }
}

/** Of neighbours in one zone the most populous. */
function mergeNeighbors(found: readonly FoundPlace[]): readonly FoundPlace[] {
  const distinct: FoundPlace[] = []
  for (const one of found) {
    const isNeighbor = distinct.some(
      (other) => other.zone === one.zone && distance(one, other) <= NEIGHBOR_KM,
    )
    if (!isNeighbor) distinct.push(one)
  }
  return distinct
}

function isClear(first: FoundPlace, second: FoundPlace | undefined): boolean {
  if (!first.certain) return false
  return (
    !second ||
    (first.population >= LARGE_POPULATION && first.population >= DOMINANT_RATIO * second.population)
  )
}

function choiceOf({ name, country, admin, latitude, longitude, zone }: FoundPlace) {
  return {
    name,
    ...(country !== undefined && { country }),
    ...(admin !== undefined && { admin }),
    zone,
    coordinates: `${latitude},${longitude}`,
  }
}

function unknownPlaceText(called: string): Phrase {
  const name = toSingleLine(called, 40)
  return {
    en: `${JSON.stringify(name)} is not known. Name a larger town near it, with province or country ("Chengdu, China"), or give degrees north and east as 30.67,104.07.`,
    zh: `没有找到“${name}”。请写附近大一点的城市，带上省份或国家（比如“四川成都”），或者直接写北纬和东经：30.67,104.07。`,
  }
}

function ambiguousPlaceText(called: string, found: readonly FoundPlace[]): Phrase {
  const name = toSingleLine(called, 40)
  const each = found
    .slice(0, MAX_CHOICES)
    .map((place) => [place.name, place.admin, place.country].filter(Boolean))
  return {
    en: `${JSON.stringify(name)} is not clear; it may be ${each.map((one) => one.join(', ')).join('; ')}. Add the province, state or country, or give degrees north and east.`,
    zh: `“${name}”不够明确，可能是：${each.map((one) => one.join(' ')).join('；')}。请加上省份或国家，或者写北纬和东经。`,
  }
}
