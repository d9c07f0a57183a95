import type { Region } from './regions.ts'

/** A town of the world's list. */
export type City = {
  readonly name: string
  readonly country: string
  readonly admin: string
  readonly population: number
  readonly latitude: number
  readonly longitude: number
}

export type CityQuery = {
  /** As it is written, or in Chinese: then it is looked for by its sound, in China. */
  readonly name: string
  /** Any of these; none: the whole world. */
  readonly within: readonly Region[]
}

/** Of the likeliest, so many. */
const MOST = 40

/** Names under which towns are known in English, and not in the list. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  newyork: 'newyorkcity',
  nyc: 'newyorkcity',
  washington: 'washingtondc',
  saigon: 'hochiminhcity',
  ulaanbaatar: 'ulanbator',
  penang: 'georgetown',
  bali: 'denpasar',
  jeju: 'jejucity',
  bombay: 'mumbai',
  calcutta: 'kolkata',
  madras: 'chennai',
  bangalore: 'bengaluru',
  peking: 'beijing',
  cologne: 'koln',
  geneva: 'geneve',
  nuremberg: 'nurnberg',
  hanover: 'hannover',
  seville: 'sevilla',
  antwerp: 'antwerpen',
  gothenburg: 'goteborg',
  frankfurt: 'frankfurtammain',
  astana: 'nursultan',
  odesa: 'odessa',
  kiev: 'kyiv',
  rangoon: 'yangon',
  macao: 'macau',
  quebeccity: 'quebec',
  nara: 'narashi',
  kashi: 'kashgar',
  nanking: 'nanjing',
  chungking: 'chongqing',
  tientsin: 'tianjin',
  tsingtao: 'qingdao',
  mukden: 'shenyang',
  dairen: 'dalian',
  amoy: 'xiamen',
  swatow: 'shantou',
  hangchow: 'hangzhou',
  soochow: 'suzhou',
  pusan: 'busan',
  taegu: 'daegu',
  inchon: 'incheon',
  leningrad: 'saintpetersburg',
  stpetersburg: 'saintpetersburg',
}

/** How names are compared: without marks, signs and capitals. */
export function folded(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
}

/** Finds towns in a list by their whole names, the most populous first. `sounds` gives how a Chinese name may be written in letters. */
export function cityIndex(
  cities: readonly City[],
  sounds: (name: string) => readonly string[],
): (query: CityQuery) => readonly City[] {
  const byName = Map.groupBy(cities, ({ name }) => folded(name))
  return ({ name, within }) => {
    const bySound = /\p{Script=Han}/u.test(name)
    const keys = bySound ? sounds(name) : [folded(name), folded(name.replace(/ city$/i, ''))]
    const all = keys.flatMap((key) => [key, OTHER_NAMES[key] ?? '']).flatMap((key) => byName.get(key) ?? [])
    const inside = all.filter((city) =>
      bySound && within.length === 0 ? city.country === 'CN' : isWithin(city, within),
    )
    return [...new Set(inside)].toSorted((a, b) => b.population - a.population).slice(0, MOST)
  }
}

function isWithin({ country, admin }: City, within: readonly Region[]): boolean {
  return (
    within.length === 0 ||
    within.some((one) => one.country === country && (one.admin === undefined || one.admin === admin))
  )
}
