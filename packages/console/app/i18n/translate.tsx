import { i18n } from '@lingui/core'
import { I18nProvider, useLingui } from '@lingui/react'
import type { ReactNode } from 'react'

import type english from '../locales/en.json'
import { isLanguage, languages, storeLanguage, type Language } from './languages.ts'

export type MessageKey = keyof typeof english
export type Translate = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string

/** Loads a catalogue and shows the page in its language. */
export async function activateLanguage(language: Language): Promise<void> {
  const { default: messages } = await languages[language].load()
  document.documentElement.lang = language
  i18n.loadAndActivate({ locale: language, messages })
}

export async function chooseLanguage(language: Language): Promise<void> {
  storeLanguage(language)
  await activateLanguage(language)
}

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>
}

/** The texts of the page in its language. */
export function useTranslate(): { readonly t: Translate; readonly language: Language } {
  const { i18n: current } = useLingui()
  const { locale } = current
  return {
    t: (key, values) => current._(key, values),
    language: isLanguage(locale) ? locale : 'en',
  }
}
