import { normalForm } from 'dragoman/events'
import { parseChinesePlace } from './parse-chinese-place.ts'
import type { City, CityQuery } from './city-lookup.ts'
import { adminName, regionsOf, simplified, type Region, type Town } from './gazetteer.ts'
import { LARGE_POPULATION, MAX_PLACE_NAME_LENGTH, type FoundPlace } from './place.ts'

type CityLookup = (query: CityQuery) => Promise<readonly City[]>
type Point = { readonly latitude: number; readonly longitude: number }

/** Looks a name up among the towns with Chinese names first, then in the list of the world's cities. */
export async function findPlaces(text: string, lookup: CityLookup): Promise<readonly FoundPlace[]> {
  const name = normalForm(text, 'NFKC').replaceAll(/\s+/g, ' ').replaceAll('臺', '台').trim()
  if (name === '' || name.length > MAX_PLACE_NAME_LENGTH) return []
  const point = pointIn(name)
  if (point) return [{ ...point, name, zone: await zoneAt(point), population: 0, certain: true }]
  return /\p{Script=Han}/u.test(name) ? findChinese(name, lookup) : findEnglish(name, lookup)
}

function pointIn(name: string): Point | undefined {
  const [, north, east] = /^(-?\d{1,2}(?:\.\d{1,8})?) ?[,; ] ?(-?\d{1,3}(?:\.\d{1,8})?)$/.exec(name) ?? []
  const point = { latitude: Number(north), longitude: Number(east) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined
}

async function findChinese(text: string, lookup: CityLookup): Promise<readonly FoundPlace[]> {
  const { towns, rest } = parseChinesePlace(simplified(text))
  if (towns.length > 0) return Promise.all(towns.map(placeOfTown))
  if (!rest || rest.name.length < 2) return []
  const { name, region } = rest
  // Names that sound alike are written differently. Only the province tells them apart.
  const certain = region.admin !== undefined
  return placesOf(await lookup({ name, within: [[region]] }), () => certain)
}

/** `Paris`, `Paris, TX`, `Paris (Texas)`, `Paris France`, `Chapel Hill North Carolina`. */
async function findEnglish(text: string, lookup: CityLookup): Promise<readonly FoundPlace[]> {
  const parts = text.replace(/ ?\(([^()]+)\)$/, ', $1').split(',')
  const [name = '', ...qualifiers] = parts.map((part) => part.trim())
  if (qualifiers.length > 0) {
    const within = qualifiers.map(qualifierRegions).filter((regions) => regions.length > 0)
    return placesOf(await lookup({ name, within }), () => within.length === qualifiers.length)
  }
  const cities = await lookup({ name, within: [] })
  // A user who writes the name of a country or state does not mean a small town of that name elsewhere.
  const regions = regionsOf(name)
  const isMeant = ({ population, country }: City): boolean =>
    regions.length === 0 ||
    population >= LARGE_POPULATION ||
    regions.some((region) => region.country === country)
  if (cities.length > 0) return placesOf(cities, isMeant)
  const words = name.split(' ')
  for (let at = 1; at < Math.min(words.length, 7); at += 1) {
    const within = qualifierRegions(words.slice(at).join(' '))
    const found =
      within.length > 0 ? await lookup({ name: words.slice(0, at).join(' '), within: [within] }) : []
    if (found.length > 0) return placesOf(found, () => true)
  }
  return []
}

/** The list has Hong Kong, Macau and Taiwan as countries. */
function qualifierRegions(name: string): readonly Region[] {
  const regions = regionsOf(name)
  const isChina = regions.some(({ country, admin }) => country === 'CN' && admin === undefined)
  return isChina ? [...regions, { country: 'HK' }, { country: 'MO' }, { country: 'TW' }] : regions
}

async function placeOfTown({ chinese, latitude, longitude, country, province }: Town): Promise<FoundPlace> {
  const zone = await zoneAt({ latitude, longitude })
  const admin = province && province.chinese !== chinese ? { admin: province.chinese } : {}
  return { name: chinese, latitude, longitude, zone, country, ...admin, population: 0, certain: true }
}

function placesOf(cities: readonly City[], isCertain: (city: City) => boolean): Promise<FoundPlace[]> {
  return Promise.all(
    cities.map(async (city) => {
      const admin = adminName(city)
      return { ...city, admin, zone: await zoneAt(city), certain: isCertain(city) }
    }),
  )
}

async function zoneAt({ latitude, longitude }: Point): Promise<string> {
  const { default: zone } = await import('@photostructure/tz-lookup')
  return zone(latitude, longitude)
}
