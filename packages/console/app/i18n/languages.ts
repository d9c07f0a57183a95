/** The languages of the console. A further one is a catalogue in `locales/` and a line here. */
export const languages = {
  en: { name: 'English', load: () => import('../locales/en.json') },
  zh: { name: '中文', load: () => import('../locales/zh.json') },
} as const

export type Language = keyof typeof languages

const STORAGE_KEY = 'dragoman.language'

export function isLanguage(value: string | null | undefined): value is Language {
  return value !== null && value !== undefined && Object.hasOwn(languages, value)
}

/** The user's choice, else the first language of the browser that has a catalogue. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(STORAGE_KEY)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.split('-', 1)[0]).find(isLanguage) ?? 'en'
}

export function storeLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language)
}
