import lines from './help-lines.json' with { type: 'json' }

/** In these languages help is offered. `zh-Hant` is Chinese in traditional characters. */
export const helpLanguages = ['zh', 'zh-Hant', 'en'] as const
export type HelpLanguage = (typeof helpLanguages)[number]

type Phrase = Readonly<Record<HelpLanguage, string>>

/** A help line: a number to call, or an address to open. */
export type HelpLine = { readonly contact: string; readonly name: Phrase }

export const countries = ['CN', 'HK', 'TW', 'SG', 'US', 'CA', 'GB', 'IE', 'AU', 'NZ', 'IN', 'EU'] as const
/** ISO 3166-1. `EU` is every country of the European Union without a row of its own. */
export type Country = (typeof countries)[number]

export type CountryLines = {
  /** Numbers for a person in immediate danger. */
  readonly emergency: string
  readonly selfHarm?: HelpLine
  readonly violence?: HelpLine
  /** For children and young people. */
  readonly child?: HelpLine
  readonly poison?: HelpLine
}

/** Every number in `help-lines.json` has its source in docs/agents/safety.md. A number without a source is left out. */
export const helpLines: Readonly<Record<Country, CountryLines>> = lines.countries

/** Lists the help lines of all countries. */
export const internationalLine: HelpLine = lines.international
