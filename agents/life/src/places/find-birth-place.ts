import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { fieldError } from '../birth/field-error.ts'
import { fillIn, type Phrase } from '../language.ts'
import errors from '../birth/birth-texts.json' with { type: 'json' }
import { distance } from './distance.ts'
import { LARGE_POPULATION, MAX_PLACE_NAME_LENGTH, type FoundPlace, type Place, type Places } from './place.ts'

const FIELD = 'birthPlace'
/** In km: the sun is two minutes apart at most, and neighbours of one name are one town and its parts. */
const NEIGHBOR_KM = 50
/** A large town with this many times the people of the next one is meant without a province or country. */
const DOMINANT_RATIO = 8
/** So many are offered to choose from. */
const MAX_CHOICES = 5

/** What a page sends once its user has chosen one of several places: `Springfield, US (39.8,-89.64)`. */
const NAME_AND_COORDINATES = /^\s*(?!\s)(.*\S)\s*\((-?[\d.]+,\s*-?[\d.]+)\)\s*$/

const texts = errors.place

/**
 * The place that a user means. @throws ServiceError `invalid-input` where it is not known, or may be one of several: up
 * to five of them are in `details.places`, each with its country, its province or state, and `48.85,2.35` to choose it
 * by
 */
export async function findBirthPlace(called: string, places: Places): Promise<Place> {
  if (called.trim().length > MAX_PLACE_NAME_LENGTH)
    throw fieldError(FIELD, fillIn(texts.tooLong, { max: MAX_PLACE_NAME_LENGTH }))
  const [, ownName, coordinates] = NAME_AND_COORDINATES.exec(called) ?? []
  const found = mergeNeighbors(await places.find(coordinates ?? called))
  const [first, second] = found
  const name = toSingleLine(called, 40)
  const quoted = JSON.stringify(name)
  if (!first) throw fieldError(FIELD, fillIn(texts.unknown, { name, quoted }))
  if (!isClear(first, second)) {
    const choices = found.slice(0, MAX_CHOICES)
    const words = fillIn(texts.ambiguous, { name, quoted, choices: choiceNames(choices) })
    throw fieldError(FIELD, words, { places: choices.map(choiceOf) })
  }
  const { latitude, longitude, zone, country } = first
  return {
    name: toSingleLine(ownName ?? called),
    latitude,
    longitude,
    zone,
    ...(country !== undefined && { country }),
  }
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

function choiceNames(choices: readonly FoundPlace[]): Phrase {
  const each = choices.map((place) => [place.name, place.admin, place.country].filter(Boolean))
  return {
    en: each.map((one) => one.join(', ')).join('; '),
    zh: each.map((one) => one.join(' ')).join('；'),
  }
}
