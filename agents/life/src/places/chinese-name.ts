import { once } from 'dragoman/async'
import { gazetteer, type Province, type Town } from './gazetteer.ts'
import { countryIn, type Region } from './regions.ts'

/** What a Chinese name says of a place. */
export type ChineseName = {
  /** Of our tables; several where a name is that of several. */
  readonly towns: readonly Town[]
  /** What else to look for by its sound, where the tables have nothing. */
  readonly rest?: { readonly name: string; readonly region?: Region; readonly province?: Province }
}

/** What may follow a town's own name. */
const RANK =
  /^(?:市|特别市|广域市|县|县城|区|地区|盟|旗|州|府|都|林区|特区|行政区|特别行政区|[\u4e00-\u9fff]{1,30}?族自治[州县])?/u
const PROVINCE_RANK = /^(?:省|市|(?:壮族|回族|维吾尔)?自治区)/u
/** A district, and what lies in it. */
const WITHIN = /(?:区|县|市|旗|镇|乡|村|街道|州)$/u
/** Districts that bear the name of a town which lies elsewhere. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  '朝阳 安宁 海城 东兴 西安 大同 东港 兴宁 鹤山 昌邑 大安 资阳 开平 中山 新北 兴安 巴州'
    .split(' ')
    .map((name) => `${name}区`),
)
/** What people's papers have of those born before 1997, and before 1988: the province to which another then belonged. */
const ONCE_OF: Readonly<Record<string, string>> = { 重庆: '四川', 海南: '广东' }

/** Names that begin as that of a town, and lie elsewhere: 北海道 is Japan's, 长沙湾 Hong Kong's, 中山陵 near Nanjing. */
const NOT_THERE = /^(?:北海道|长沙湾|阿里山|中山陵)/u
/** Where a country's name is part of one of ours: 内蒙古, and 巴林左旗 in it, as 巴林 is Bahrain. */
const HOME = /^(?:内蒙古|巴林[左右])/u
/** What people say between a country and a town of it that we know, where no other town there bears its name. */
const PARTS: Readonly<Record<string, RegExp>> = {
  US: /^(?:加利福尼亚|加|得克萨斯|德克萨斯|德|得|纽约|伊利诺伊|马萨诸塞|麻|华盛顿|宾夕法尼亚|宾|佛罗里达|佛|新泽西|夏威夷)[州省]/u,
  CA: /^(?:不列颠哥伦比亚|卑诗|安大略|安|魁北克|阿尔伯塔)省/u,
  AU: /^(?:新南威尔士|维多利亚|昆士兰|南澳|西澳|南澳大利亚|西澳大利亚)州/u,
  JP: /^北海道/u,
}

/** Whole towns that are a country of their own: whatever is named in them lies there. */
const CITY_STATES: ReadonlySet<string> = new Set(['HK', 'MO', 'SG'])

/** By their names; the mainland's before others. */
const byName = once((): ReadonlyMap<string, readonly Town[]> =>
  Map.groupBy(gazetteer().towns, ({ chinese }) => chinese),
)
const longestName = once(() => Math.max(...gazetteer().towns.map(({ chinese }) => chinese.length)))

/** Takes a Chinese name of a place apart: country, province, town, district, with or without their ranks. */
export function chineseName(text: string): ChineseName {
  const joined = text.replaceAll(/[\s,、，·.-]+/gu, '')
  const swapped = text
    .split(/[\s,、，]+/u)
    .toReversed()
    .join('')
  const found = read(joined)
  // `成都, 四川`: as it is written in other countries.
  return found.towns.length > 0 || swapped === joined ? found : better(read(swapped), found)
}

function better(first: ChineseName, second: ChineseName): ChineseName {
  return first.towns.length > 0 ? first : second
}

function read(said: string): ChineseName {
  const text = (said.length > 4 ? said.replace(/^中国(?:的)?/u, '') : said).replace(/^内蒙(?!古)/u, '内蒙古')
  // 墨西哥城 begins with the name of its country, and is no 城 in it.
  const whole =
    byName()
      .get(text)
      ?.filter((town) => town.country !== 'CN') ?? []
  if (whole.length > 0) return { towns: whole }
  const country = HOME.test(text) ? undefined : countryIn(text)
  if (country && country.region.country !== 'CN') return abroad(country.region, country.rest)
  const inland = country?.rest ?? text
  const town = townIn(inland)
  if (town) return { towns: town }
  return (
    ofProvince(inland) ?? { towns: [], rest: { name: inland, ...(country && { region: country.region }) } }
  )
}

function abroad(region: Region, name: string): ChineseName {
  const there = gazetteer().towns.filter(({ country }) => country === region.country)
  if (CITY_STATES.has(region.country)) return { towns: there.slice(0, 1) }
  const bare = name.replace(PARTS[region.country] ?? '', '')
  const found = townIn(bare) ?? townIn(name) ?? []
  const towns = found.filter(({ country }) => country === region.country)
  return towns.length > 0 ? { towns } : { towns: [], rest: { name, region } }
}

function ofProvince(text: string): ChineseName | undefined {
  const province = gazetteer().provinces.find(({ chinese }) => text.startsWith(chinese))
  if (!province) return undefined
  const rest = text.slice(province.chinese.length).replace(PROVINCE_RANK, '')
  const own = gazetteer().towns.filter((town) => town.province?.code === province.code)
  // A province alone is wider than a chart bears: its towns are what may be meant.
  if (rest === '') return { towns: own.filter(({ isWide }) => isWide) }
  const towns = townIn(rest)?.filter((town) => liesIn(town, province)) ?? []
  return towns.length > 0
    ? { towns }
    : { towns: [], rest: { name: rest, region: { country: 'CN', admin: province.code }, province } }
}

function liesIn({ province: own }: Town, province: Province): boolean {
  return own !== undefined && (own.code === province.code || ONCE_OF[own.chinese] === province.chinese)
}

/** The town with which a text begins. Of a town within it that we know, that one. */
function townIn(text: string): readonly Town[] | undefined {
  if (ELSEWHERE.has(text) || NOT_THERE.test(text)) return undefined
  for (let length = Math.min(text.length, longestName()); length >= 2; length -= 1) {
    const towns = byName().get(text.slice(0, length)) ?? []
    const fitting = towns.filter((town) => fits(town, text.slice(length)))
    if (fitting.length > 0) return fitting.map((town) => within(town, text.slice(length)))
  }
  return undefined
}

function fits(town: Town, after: string): boolean {
  // 吉林省 is the province, and no town.
  if (after.startsWith('省') && town.province?.chinese === town.chinese) return false
  const rest = after.replace(RANK, '')
  if (rest === '') return true
  if (rest.length > 20) return false
  if (town.country === 'CN') return town.isWide || (after !== rest && WITHIN.test(rest))
  // 台北市大安区 and 首尔江南区; but 桃园村 is any village.
  return WITHIN.test(rest) && (after !== rest || rest.length > 2)
}

function within(town: Town, after: string): Town {
  const rest = after.replace(RANK, '').replace(/^(?:市)/u, '')
  if (rest.length < 2 || !town.province) return town
  const inner = townIn(rest)?.find(({ province }) => province?.code === town.province?.code)
  return inner && near(inner, town) ? inner : town
}

/** A prefecture's towns lie within some 300 km of its seat. */
function near(one: Town, other: Town): boolean {
  return Math.hypot(one.latitude - other.latitude, one.longitude - other.longitude) < 4
}
