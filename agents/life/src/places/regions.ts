import { once } from 'dragoman/async'

/** A part of the world that a name is narrowed to. `admin` is a code of GeoNames'. */
export type Region = { readonly country: string; readonly admin?: string }

/** ISO 3166-1: of those that ICU can name. */
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FO FR GA GB GD GE GF GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MQ MR MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NZ OM PA PE PF PG PH PK PL PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WS XK YE YT ZA ZM ZW'.split(
    ' ',
  )

const ALSO: Readonly<Record<string, Region>> = {
  usa: { country: 'US' },
  america: { country: 'US' },
  uk: { country: 'GB' },
  'great britain': { country: 'GB' },
  england: { country: 'GB', admin: 'ENG' },
  scotland: { country: 'GB', admin: 'SCT' },
  wales: { country: 'GB', admin: 'WLS' },
  'northern ireland': { country: 'GB', admin: 'NIR' },
  prc: { country: 'CN' },
  'pr china': { country: 'CN' },
  'mainland china': { country: 'CN' },
  'people’s republic of china': { country: 'CN' },
  'hong kong': { country: 'HK' },
  macau: { country: 'MO' },
  macao: { country: 'MO' },
  korea: { country: 'KR' },
  burma: { country: 'MM' },
  turkey: { country: 'TR' },
  'czech republic': { country: 'CZ' },
  holland: { country: 'NL' },
  uae: { country: 'AE' },
  香港: { country: 'HK' },
  澳门: { country: 'MO' },
  英格兰: { country: 'GB', admin: 'ENG' },
  苏格兰: { country: 'GB', admin: 'SCT' },
  威尔士: { country: 'GB', admin: 'WLS' },
  北爱尔兰: { country: 'GB', admin: 'NIR' },
  阿联酋: { country: 'AE' },
  美利坚合众国: { country: 'US' },
  大韩民国: { country: 'KR' },
  沙特: { country: 'SA' },
  北海道: { country: 'JP' },
}

const US =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming'
const CANADA =
  '01 Alberta AB,02 British Columbia BC,03 Manitoba MB,04 New Brunswick NB,05 Newfoundland and Labrador NL,07 Nova Scotia NS,08 Ontario ON,09 Prince Edward Island PE,10 Quebec QC,11 Saskatchewan SK'
const AUSTRALIA =
  '01 Australian Capital Territory ACT,02 New South Wales NSW,03 Northern Territory NT,04 Queensland QLD,05 South Australia SA,06 Tasmania TAS,07 Victoria VIC,08 Western Australia WAU'

/** The names of the states and provinces that people add to a town's, by country and code. */
const adminNames = once((): ReadonlyMap<string, string> => {
  const named = (country: string, list: string): [string, string][] =>
    list.split(',').map((one) => {
      const [, code = '', name = ''] = /^(\S+) (.+?)(?: [A-Z]{2,3})?$/.exec(one) ?? []
      return [`${country} ${code}`, name]
    })
  return new Map([...named('US', US), ...named('CA', CANADA), ...named('AU', AUSTRALIA)])
})

/** What people call a state or province that GeoNames has only a code for. */
export function adminName(country: string, admin: string): string | undefined {
  return adminNames().get(`${country} ${admin}`)
}

const regions = once((): ReadonlyMap<string, readonly Region[]> => {
  const found = new Map<string, Region[]>()
  const add = (name: string | undefined, region: Region): void => {
    if (name === undefined || name === '') return
    const key = name.toLowerCase()
    found.set(key, [...(found.get(key) ?? []), region])
  }
  const names = [
    new Intl.DisplayNames(['en'], { type: 'region' }),
    new Intl.DisplayNames(['zh'], { type: 'region' }),
  ]
  for (const country of COUNTRIES) {
    for (const name of names) add(name.of(country), { country })
    add(country, { country })
  }
  for (const [name, region] of Object.entries(ALSO)) add(name, region)
  for (const [key, name] of adminNames()) {
    const [country = '', admin = ''] = key.split(' ')
    add(name, { country, admin })
    if (country === 'US') add(admin, { country, admin })
  }
  for (const [country, list] of [
    ['CA', CANADA],
    ['AU', AUSTRALIA],
  ] as const) {
    for (const one of list.split(',')) add(one.split(' ').at(-1), { country, admin: one.slice(0, 2) })
  }
  return found
})

/** What a country's, a state's or a province's name means, in English or Chinese: `CA` is a state, and a country too. */
export function regionsOf(name: string): readonly Region[] {
  return (
    regions().get(
      name
        .trim()
        .toLowerCase()
        .replace(/^the |\./g, '')
        .replaceAll("'", '’'),
    ) ?? []
  )
}

/** The country that a Chinese text begins or ends with, and what is left of it. */
export function countryIn(text: string): { readonly region: Region; readonly rest: string } | undefined {
  for (let length = Math.min(text.length, 12); length >= 2; length -= 1) {
    const [atStart] = regionsOf(text.slice(0, length))
    if (atStart) return { region: atStart, rest: text.slice(length) }
    const [atEnd] = regionsOf(text.slice(-length))
    if (atEnd) return { region: atEnd, rest: text.slice(0, -length) }
  }
  return undefined
}
