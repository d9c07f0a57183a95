import { createTranslator, type PageProps } from '@dragoman/console/view'
import { createContext, use, useMemo } from 'react'

import english from './locales/en.json'
import chinese from './locales/zh.json'

export type TextKey = keyof typeof english

/** What the console gives to the page. */
export const PageContext = createContext<PageProps | undefined>(undefined)

/** What the console gives to the page, and its texts. */
export function usePage() {
  const page = use(PageContext)
  if (!page) throw new Error('There is no PageContext.')
  const { language } = page
  const t = useMemo(() => createTranslator({ en: english, zh: chinese }, language), [language])
  return { ...page, t }
}

/** A day in the language of the page, without the time. */
export function formatDay(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(iso))
}

export function formatPercent(share: number | null, language: string): string {
  return share === null ? '–' : new Intl.NumberFormat(language, { style: 'percent' }).format(share)
}
