import { lazy } from 'dragoman/async'
import { distance } from './distance.ts'
import { provinces, regionsOf, towns, type Province, type Region, type Town } from './gazetteer.ts'

export type ChinesePlace = {
  /** Several if several towns have the name. */
  readonly towns: readonly Town[]
  /** If the gazetteer has no such town: the name to look up by its sound. */
  readonly rest?: { readonly name: string; readonly region: Region }
}

/** What may follow the name of a town. */
const RANK =
  /^(?:市|特别市|广域市|县|县城|区|地区|盟|旗|州|府|都|林区|特区|行政区|特别行政区|[\u4e00-\u9fff]{1,30}?族自治[州县])?/u
const PROVINCE_RANK = /^(?:省|市|(?:壮族|回族|维吾尔)?自治区)/u
/** The end of the name of a place within a town. */
const WITHIN = /(?:区|县|市|旗|镇|乡|村|街道|州)$/u
/** A district without its town. Many have the name of a town that is elsewhere: 西安区 is in Mudanjiang. */
const DISTRICT = /^.{2,3}(?<![地林政治市])区$/u
/** The province of former papers. */
const FORMER_PROVINCE: Readonly<Record<string, string>> = { 重庆: '四川', 海南: '广东' }
/** These begin with the name of a country, 巴林 (Bahrain), or contain one, 蒙古, and are in China. */
const INLAND = /^(?:内蒙古|巴林[左右])/u
/** States whose towns in the gazetteer have a name that is unique in the country. */
const STATE: Readonly<Record<string, RegExp>> = {
  US: /^(?:加利福尼亚|加|得克萨斯|德克萨斯|德|得|纽约|伊利诺伊|马萨诸塞|麻|华盛顿|宾夕法尼亚|宾|佛罗里达|佛|新泽西|夏威夷)[州省]/u,
  CA: /^(?:不列颠哥伦比亚|卑诗|安大略|安|魁北克|阿尔伯塔)省/u,
  AU: /^(?:新南威尔士|维多利亚|昆士兰|南澳|西澳|南澳大利亚|西澳大利亚)州/u,
  JP: /^北海道/u,
}
/** One town is the whole country. */
const CITY_STATES: ReadonlySet<string> = new Set(['HK', 'MO', 'SG'])
/** In km: the towns of a prefecture are nearer to its seat. */
const PREFECTURE_RADIUS_KM = 400

const townsByName = lazy(() => Map.groupBy(towns(), ({ chinese }) => chinese))
const maxNameLength = lazy(() => Math.max(...towns().map(({ chinese }) => chinese.length)))

/** Finds the town in a Chinese name with or without country, province, district and ranks. */
export function parseChinesePlace(text: string): ChinesePlace {
  const parts = text.split(/[\s,、，]+/u)
  const found = read(parts.join('').replaceAll(/[·.-]+/gu, ''))
  if (found.towns.length > 0 || parts.length === 1) return found
  // `成都, 四川` has the order of other languages.
  const reversed = read(parts.toReversed().join(''))
  return reversed.towns.length > 0 ? reversed : found
}

function read(name: string): ChinesePlace {
  const text = (name.length > 4 ? name.replace(/^中国(?:的)?/u, '') : name).replace(/^内蒙(?!古)/u, '内蒙古')
  // 墨西哥城 begins with the name of its country, and 城 is no town there.
  const exact =
    townsByName()
      .get(text)
      ?.filter(({ country }) => country !== 'CN') ?? []
  if (exact.length > 0) return { towns: exact }
  const { region, rest } = (INLAND.test(text) ? undefined : countryIn(text)) ?? {
    region: { country: 'CN' },
    rest: text,
  }
  if (region.country !== 'CN') return readAbroad(region, rest)
  const found = DISTRICT.test(rest) ? [] : townsAt(rest)
  return found.length > 0
    ? { towns: found }
    : (readProvince(rest) ?? { towns: [], rest: { name: rest, region } })
}

/** The country with which a text begins or ends. */
function countryIn(text: string): { readonly region: Region; readonly rest: string } | undefined {
  for (let length = Math.min(text.length, 12); length >= 2; length -= 1) {
    const [first] = regionsOf(text.slice(0, length))
    if (first) return { region: first, rest: text.slice(length) }
    const [last] = regionsOf(text.slice(-length))
    if (last) return { region: last, rest: text.slice(0, -length) }
  }
  return undefined
}

function readAbroad(region: Region, name: string): ChinesePlace {
  const { country } = region
  if (CITY_STATES.has(country))
    return {
      towns: towns()
        .filter((town) => town.country === country)
        .slice(0, 1),
    }
  const withoutState = name.replace(STATE[country] ?? '', '')
  const found = [withoutState, name].flatMap(townsAt).filter((town) => town.country === country)
  return found.length > 0 ? { towns: found.slice(0, 1) } : { towns: [], rest: { name, region } }
}

function readProvince(text: string): ChinesePlace | undefined {
  const province = provinces.find(({ chinese }) => text.startsWith(chinese))
  if (!province) return undefined
  const rest = text.slice(province.chinese.length).replace(PROVINCE_RANK, '')
  // A province is too wide for a chart: the user chooses one of its towns.
  if (rest === '')
    return { towns: towns().filter((town) => town.isMajor && town.province?.code === province.code) }
  const found = townsAt(rest).filter((town) => isInProvince(town, province))
  return found.length > 0
    ? { towns: found }
    : { towns: [], rest: { name: rest, region: { country: 'CN', admin: province.code } } }
}

function isInProvince({ province: own }: Town, province: Province): boolean {
  return (
    own?.code === province.code || (own !== undefined && FORMER_PROVINCE[own.chinese] === province.chinese)
  )
}

/** The towns with whose name a text begins, or the town within that follows. */
function townsAt(text: string): readonly Town[] {
  for (let length = Math.min(text.length, maxNameLength()); length >= 2; length -= 1) {
    const rest = text.slice(length)
    const fitting =
      townsByName()
        .get(text.slice(0, length))
        ?.filter((town) => mayPrecede(town, rest)) ?? []
    if (fitting.length > 0) return fitting.map((town) => townWithin(town, rest) ?? town)
  }
  return []
}

function mayPrecede(town: Town, text: string): boolean {
  // 吉林省 is the province.
  if (text.startsWith('省') && town.province?.chinese === town.chinese) return false
  const rest = text.replace(RANK, '')
  if (rest === '') return true
  // One more character makes another name: 北海道, 长沙湾, 中山陵.
  if (rest.length === 1 || rest.length > 20) return false
  if (town.country === 'CN') return town.isMajor || (text !== rest && WITHIN.test(rest))
  // 台北市大安区 and 首尔江南区; but any village can be called 桃园村.
  return WITHIN.test(rest) && (text !== rest || rest.length > 2)
}

function townWithin(town: Town, text: string): Town | undefined {
  const rest = text.replace(RANK, '').replace(/^市/u, '')
  if (rest.length < 2 || !town.province) return undefined
  return townsAt(rest).find(
    (inner) => inner.province?.code === town.province?.code && distance(inner, town) < PREFECTURE_RADIUS_KM,
  )
}
