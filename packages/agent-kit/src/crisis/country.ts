import patterns from './time-zones.json' with { type: 'json' }
import type { Country, HelpLanguage } from './help-lines.ts'

/** Patterns of zone names, from the tz database: https://data.iana.org/time-zones/tzdb/zone1970.tab */
const zones: Readonly<Partial<Record<Country, RegExp>>> = Object.fromEntries(
  Object.entries(patterns).map(([country, pattern]) => [country, new RegExp(pattern)]),
)

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
