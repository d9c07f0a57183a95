import { countriesFor, countryOf, helpLanguageOf } from './country.ts'
import { internationalLine, helpLines, type Country, type HelpLanguage, type HelpLine } from './help-lines.ts'
import type { Danger } from './detect-danger.ts'
import texts from './crisis-texts.json' with { type: 'json' }

const { opening, danger, ambulance, local, lead, under18, closing, misunderstanding } = texts

/** The message of a user in danger. `zone` is the user's IANA time zone, if known. */
export type HelpRequest = { readonly words: string; readonly zone?: string | undefined }

/** Writes the server's answer to a user in danger: kind words, the emergency number and the local help lines. */
export function crisisHelp(kind: Danger, { words, zone }: HelpRequest): string {
  const country = countryOf(zone)
  const language = helpLanguageOf(words, country)
  const places = countriesFor(country, language)
  const lines = places.flatMap((place) => linesFor(kind, place, language))
  return [
    opening[kind][language],
    emergency(kind, { places, language, isKnown: country !== undefined }),
    [
      ...(lines.length > 0 ? [lead[language]] : []),
      ...new Set(lines),
      formatLine(internationalLine, language),
    ].join('\n'),
    closing[kind][language],
    misunderstanding[language],
  ].join('\n\n')
}

function linesFor(kind: Danger, country: Country, language: HelpLanguage): string[] {
  const { selfHarm, violence, child, poison } = helpLines[country]
  const lists = { 'self-harm': [selfHarm], overdose: [poison, selfHarm], violence: [violence] }[kind]
  const all = lists.flatMap((line) => (line ? [formatLine(line, language)] : []))
  return kind === 'violence' && child ? [...all, formatLine(child, language, under18[language])] : all
}

function formatLine({ contact, name }: HelpLine, language: HelpLanguage, before = ''): string {
  return `- ${before}${contact} (${name[language]})`
}

type Where = { places: readonly Country[]; language: HelpLanguage; isKnown: boolean }

/** The local emergency number. If the country is unknown, those of the likely countries. */
function emergency(kind: Danger, { places, language, isKnown }: Where): string {
  const numbers = [...new Set(places.map((place) => helpLines[place].emergency))].join(', ')
  const or = { zh: '，其他地方请拨', 'zh-Hant': '，其他地方請撥', en: ', or ' }[language]
  const all = isKnown ? numbers : `${numbers}${or}${local[language]}`
  const stop = language === 'en' ? '.' : '。'
  return kind === 'overdose' ? `**${ambulance[language]}: ${all}**` : `${danger[language]} ${all}${stop}`
}
