import { createTranslator } from '@dragoman/console/view'

import en from './locales/en.json'
import zh from './locales/zh.json'

export type Translate = ReturnType<typeof textsIn>

/** The texts of a language, or those in English. */
export function textsIn(language: string) {
  return createTranslator({ en, zh }, language)
}
