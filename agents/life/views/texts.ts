import { inEnglish } from '../src/chart/english-names.ts'
import english from './locales/en.json'
import chinese from './locales/zh.json'

type Texts = Readonly<Record<keyof typeof english, string>>

const catalogues: Readonly<Record<string, Texts>> = { en: english, zh: chinese }

/** The texts of a language, or those in English. */
export function textsIn(language: string): Texts {
  return catalogues[language] ?? english
}

/** A name of a chart, which is Chinese, in a language. */
export function nameIn(language: string, name: string): string {
  return language === 'zh' ? name : inEnglish(name)
}

/** Puts values into a text. */
export function withValues(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
}
