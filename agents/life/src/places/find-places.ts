import { once } from 'dragoman/async'
import { chineseName } from './chinese-name.ts'
import type { City, CityQuery } from './cities.ts'
import { gazetteer, type Town } from './gazetteer.ts'
import { LARGE, MOST_OF_NAME, type FoundPlace } from './place.ts'
import { adminName, regionsOf, type Region } from './regions.ts'
import { simplified } from './simplified.ts'

type Ask = (query: CityQuery) => Promise<readonly City[]>

/** What is called so: our own tables first, which know what Chinese towns are called, then the list of all towns, which `ask` looks at. */
export async function findPlaces(called: string, ask: Ask): Promise<readonly FoundPlace[]> {
  const name = called.normalize('NFKC').replaceAll(/\s+/g, ' ').replaceAll('臺', '台').trim()
  if (name === '' || name.length > MOST_OF_NAME) return []
  const point = pointIn(name)
  if (point) return [{ ...point, name, zone: await zoneOf(point), population: 0, certain: true }]
  return /\p{Script=Han}/u.test(name) ? inChinese(name, ask) : inLetters(name, ask)
}

type Point = { readonly latitude: number; readonly longitude: number }

function pointIn(name: string): Point | undefined {
  const [, north, east] = /^(-?\d{1,2}(?:\.\d{1,8})?) ?[,; ] ?(-?\d{1,3}(?:\.\d{1,8})?)$/.exec(name) ?? []
  const point = { latitude: Number(north), longitude: Number(east) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined
}

async function inChinese(called: string, ask: Ask): Promise<readonly FoundPlace[]> {
  const { towns, rest } = chineseName(simplified(called))
  if (towns.length > 0) return Promise.all(towns.map(townFound))
  if (!rest || rest.name.length < 2) return []
  const { name, region } = rest
  const found = await ask({ name, within: region ? [region] : [] })
  // Two towns of one sound are written differently: where the province is said too, that is enough to tell them apart.
  const certain = region?.admin !== undefined
  return Promise.all(found.map((city) => cityFound(city, certain)))
}

async function inLetters(called: string, ask: Ask): Promise<readonly FoundPlace[]> {
  const [name = '', ...said] = called
    .replace(/ ?\(([^()]+)\)$/, ', $1')
    .split(',')
    .map((part) => part.trim())
  if (said.length > 0) {
    const { within, understood } = narrowed(said)
    const found = await askWithin({ name, within }, ask)
    return Promise.all(found.map((city) => cityFound(city, understood)))
  }
  const whole = await ask({ name, within: [] })
  if (whole.length === 0) return withoutComma(name, ask)
  // `UK` is a village, too: whoever names a country or a state means no small town elsewhere.
  const regions = regionsNamed(name)
  const isMeant = ({ population, country }: City): boolean =>
    regions.length === 0 || population >= LARGE || regions.some((region) => region.country === country)
  return Promise.all(whole.map((city) => cityFound(city, isMeant(city))))
}

/** `Paris France`, `Chapel Hill North Carolina`. */
async function withoutComma(name: string, ask: Ask): Promise<readonly FoundPlace[]> {
  const words = name.split(' ')
  for (let at = 1; at < words.length && at <= 6; at += 1) {
    const within = regionsNamed(words.slice(at).join(' '))
    if (within.length === 0) continue
    const found = await askWithin({ name: words.slice(0, at).join(' '), within }, ask)
    if (found.length > 0) return Promise.all(found.map((city) => cityFound(city, true)))
  }
  return []
}

const BESIDE_THE_MAINLAND: readonly Region[] = [{ country: 'HK' }, { country: 'MO' }, { country: 'TW' }]

/** `Hong Kong, China`: in the list that is a country of its own. */
async function askWithin(query: CityQuery, ask: Ask): Promise<readonly City[]> {
  const found = await ask(query)
  const isChina = query.within.some(({ country, admin }) => country === 'CN' && admin === undefined)
  return found.length === 0 && isChina ? ask({ ...query, within: BESIDE_THE_MAINLAND }) : found
}

/** Where all that stands behind a town's name lies. `understood` where each part of it was. */
function narrowed(said: readonly string[]): { within: readonly Region[]; understood: boolean } {
  const known = said.map(regionsNamed).filter((regions) => regions.length > 0)
  const [innermost = [], ...outer] = known
  return { within: outer.reduce(inBoth, innermost), understood: known.length === said.length }
}

/** `CA` alone is California as well as Canada: what stands behind it tells which. */
function inBoth(inner: readonly Region[], outer: readonly Region[]): readonly Region[] {
  const both = inner.flatMap((one) =>
    outer.filter((other) => overlaps(one, other)).map((other) => (one.admin === undefined ? other : one)),
  )
  return both.length > 0 ? both : inner
}

function overlaps(one: Region, other: Region): boolean {
  if (one.country !== other.country) return false
  return one.admin === undefined || other.admin === undefined || one.admin === other.admin
}

function regionsNamed(name: string): readonly Region[] {
  const bare = name.replace(/ province$/i, '').toLowerCase()
  const province = gazetteer().provinces.find(({ english }) => english.toLowerCase() === bare)
  return [...(province ? [{ country: 'CN', admin: province.code }] : []), ...regionsOf(bare)]
}

async function townFound({ chinese, latitude, longitude, country, province }: Town): Promise<FoundPlace> {
  const zone = await zoneOf({ latitude, longitude })
  const admin = province && province.chinese !== chinese ? province.chinese : undefined
  return {
    name: chinese,
    latitude,
    longitude,
    zone,
    country,
    ...(admin !== undefined && { admin }),
    population: 0,
    certain: true,
  }
}

const provinceNames = once(() => new Map(gazetteer().provinces.map(({ code, english }) => [code, english])))

async function cityFound(city: City, certain: boolean): Promise<FoundPlace> {
  const { name, latitude, longitude, country, population } = city
  const admin = country === 'CN' ? provinceNames().get(city.admin) : adminName(country, city.admin)
  const zone = await zoneOf(city)
  return {
    name,
    latitude,
    longitude,
    zone,
    country,
    ...(admin !== undefined && { admin }),
    population,
    certain,
  }
}

async function zoneOf({ latitude, longitude }: Point): Promise<string> {
  const { default: zoneAt } = await import('@photostructure/tz-lookup')
  return zoneAt(latitude, longitude)
}
