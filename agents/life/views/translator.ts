import { createTranslator } from '@dragoman/console/view'

import { inEnglish } from '../src/chart/english-names.ts'
import en from './locales/en.json'
import zh from './locales/zh.json'

/** The texts of the views in a language. */
export function translatorOf(language: string) {
  return createTranslator({ en, zh }, language)
}

/** A name of a chart, which is Chinese, in a language. */
export function nameIn(language: string, name: string): string {
  return language === 'zh' ? name : inEnglish(name)
}
