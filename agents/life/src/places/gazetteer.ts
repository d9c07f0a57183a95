import { lazy } from 'dragoman/async'
import data from './gazetteer.json' with { type: 'json' }

export type Province = { readonly chinese: string; readonly english: string; readonly code: string }

/** A country, or a part of it. `admin` is GeoNames' code. */
export type Region = { readonly country: string; readonly admin?: string }

/** A town with a Chinese name. */
export type Town = {
  readonly chinese: string
  readonly latitude: number
  readonly longitude: number
  readonly country: string
  /** Only in mainland China. */
  readonly province?: Province
  /** A seat of a prefecture, or a town abroad: a district's name may follow its name. */
  readonly isMajor: boolean
}

export const provinces: readonly Province[] = data.provinces

/** The towns with Chinese names. Coordinates follow GeoNames (https://www.geonames.org, CC BY 4.0). */
export const towns = lazy((): readonly Town[] => [
  ...data.provinces.flatMap((province) => [
    ...townsIn(province.prefectures, { country: 'CN', province, isMajor: true }),
    ...townsIn(province.towns, { country: 'CN', province, isMajor: false }),
  ]),
  ...Object.entries(data.world).flatMap(([country, list]) => townsIn(list, { country, isMajor: true })),
])

function townsIn(list: string, shared: Pick<Town, 'country' | 'province' | 'isMajor'>): Town[] {
  return Array.from(list.matchAll(/(?<!\S)(\S+) (-?[\d.]+),(-?[\d.]+)/g), ([, chinese = '', north, east]) =>
    Object.assign({ chinese, latitude: Number(north), longitude: Number(east) }, shared),
  )
}

const states = lazy((): readonly (Required<Region> & { readonly name: string; readonly short: string })[] =>
  Object.entries(data.states).flatMap(([country, list]) =>
    Object.entries(list).map(([admin, [name = '', short = '']]) => ({ country, admin, name, short })),
  ),
)

/** The name of a state or province, if people add it to the names of its towns. */
export function adminName({ country, admin }: Required<Region>): string | undefined {
  const list: readonly (Required<Region> & { readonly name: string })[] =
    country === 'CN'
      ? provinces.map(({ code, english }) => ({ country, admin: code, name: english }))
      : states()
  return list.find((one) => one.country === country && one.admin === admin)?.name
}

const regionsByName = lazy((): ReadonlyMap<string, readonly Region[]> => {
  const displayNames = ['en', 'zh'].map((language) => new Intl.DisplayNames([language], { type: 'region' }))
  const named: (readonly [string, Region])[] = [
    ...data.countries
      .split(' ')
      .flatMap((country) =>
        [country, ...displayNames.map((names) => names.of(country) ?? '')].map(
          (name) => [name, { country }] as const,
        ),
      ),
    ...Object.entries(data.regions).map(([name, code]) => {
      const [country = '', admin] = code.split(' ')
      return [name, { country, ...(admin !== undefined && { admin }) }] as const
    }),
    ...states().flatMap(({ country, admin, name, short }) =>
      [name, short].map((one) => [one, { country, admin }] as const),
    ),
    ...provinces.map(({ english, code }) => [english, { country: 'CN', admin: code }] as const),
  ]
  const groups = Map.groupBy(named, ([name]) => name.toLowerCase())
  return new Map(Array.from(groups, ([name, found]) => [name, found.map(([, region]) => region)]))
})

/** What a name of a country, state or province means, in English or Chinese. `CA` is a state and a country. */
export function regionsOf(name: string): readonly Region[] {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/^the |\.| province$/g, '')
    .replaceAll("'", '’')
  return regionsByName().get(key) ?? []
}

const simplifiedOf = lazy(
  () => new Map(data.traditional.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)])),
)

/** Replaces the traditional characters that occur in names of places. */
export function simplified(name: string): string {
  return name.replaceAll(/\p{Script=Han}/gu, (character) => simplifiedOf().get(character) ?? character)
}
