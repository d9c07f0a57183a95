import type { Country, HelpLanguage } from './help-lines.ts'

/** Zones by country, as the tz database has them: https://data.iana.org/time-zones/tzdb/zone1970.tab */
const zones: Readonly<Partial<Record<Country, RegExp>>> = {
  CN: /^(?:Asia\/(?:Shanghai|Urumqi|Chongqing|Chungking|Harbin|Kashgar)|PRC)$/,
  HK: /^(?:Asia\/Hong_Kong|Hongkong)$/,
  TW: /^(?:Asia\/Taipei|ROC)$/,
  SG: /^(?:Asia\/Singapore|Singapore)$/,
  IN: /^Asia\/(?:Kolkata|Calcutta)$/,
  GB: /^(?:Europe\/(?:London|Belfast|Jersey|Guernsey|Isle_of_Man)|GB|GB-Eire)$/,
  IE: /^(?:Europe\/Dublin|Eire)$/,
  AU: /^(?:Australia\/|Antarctica\/Macquarie$)/,
  NZ: /^(?:Pacific\/(?:Auckland|Chatham)|NZ)/,
  US: /^(?:US\/|Pacific\/Honolulu$|America\/(?:New_York|Detroit|Chicago|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Metlakatla|Yakutat|Nome|Adak|Menominee|Louisville|Indianapolis|Fort_Wayne|Shiprock|Kentucky\/|Indiana\/|North_Dakota\/))/,
  CA: /^(?:Canada\/|America\/(?:Toronto|Montreal|Vancouver|Edmonton|Winnipeg|Halifax|St_Johns|Regina|Moncton|Glace_Bay|Goose_Bay|Iqaluit|Whitehorse|Yellowknife|Dawson|Dawson_Creek|Inuvik|Resolute|Rankin_Inlet|Swift_Current|Cambridge_Bay|Creston|Fort_Nelson|Thunder_Bay|Nipigon|Atikokan|Blanc-Sablon)$)/,
  EU: /^Europe\/(?:Amsterdam|Athens|Berlin|Bratislava|Brussels|Bucharest|Budapest|Busingen|Copenhagen|Helsinki|Lisbon|Ljubljana|Luxembourg|Madrid|Malta|Mariehamn|Paris|Prague|Riga|Rome|Sofia|Stockholm|Tallinn|Vienna|Vilnius|Warsaw|Zagreb)$|^Asia\/(?:Nicosia|Famagusta)$|^Atlantic\/(?:Azores|Madeira|Canary)$|^Africa\/Ceuta$/,
}

/** The country of an IANA time zone, if its help lines are known. */
export function countryOf(zone: string | undefined): Country | undefined {
  if (zone === undefined) return undefined
  return (Object.keys(zones) as Country[]).find((country) => zones[country]?.test(zone))
}

/** Characters of the one script that the other does not have. */
const TRADITIONAL =
  /[這個說沒嗎麼過來對會時們還後開關無為從點讓應該樣經體殺傷藥愛歡寫給問題覺樂淚離結爺媽斷盡廢總繼續顆幾歲殘輕遺書樓撐]/gu
const SIMPLIFIED =
  /[这个说没吗么过来对会时们还后开关无为从点让应该样经体杀伤药爱欢写给问题觉乐泪离结妈断尽废总继续颗几岁残轻遗书楼撑]/gu

/**
 * The language of the help: that of the message. If the characters fit both Chinese scripts, the country
 * decides.
 */
export function helpLanguageOf(words: string, country?: Country): HelpLanguage {
  if (!/\p{Script=Han}/u.test(words)) return 'en'
  const traditional = words.match(TRADITIONAL)?.length ?? 0
  const simplified = words.match(SIMPLIFIED)?.length ?? 0
  if (traditional !== simplified) return traditional > simplified ? 'zh-Hant' : 'zh'
  return country === 'TW' || country === 'HK' ? 'zh-Hant' : 'zh'
}

/**
 * The countries whose lines are named: the user's country or, if unknown, those where most people speak the
 * language.
 */
export function countriesFor(country: Country | undefined, language: HelpLanguage): readonly Country[] {
  if (country !== undefined) return [country]
  if (language === 'zh') return ['CN', 'HK', 'TW']
  return language === 'zh-Hant' ? ['TW', 'HK'] : ['US', 'CA', 'GB', 'IE', 'AU', 'NZ', 'IN', 'SG']
}
