import { z } from 'zod'

export const languages = ['zh', 'en'] as const
/** The language of cards, greetings and texts for the model. */
export type Language = (typeof languages)[number]

/** The same text in each language. */
export type Phrase = Readonly<Record<Language, string>>

/** A language by its tag, with or without a region, in any case: `zh`, `zh-CN`, `EN`. */
export function languageTag(field: string) {
  const problem = `${field} must be one of ${languages.join(', ')}`.trim()
  return z
    .string(problem)
    .transform((tag) => tag.trim().toLowerCase().split(/[-_]/, 1)[0])
    .pipe(z.enum(languages, problem))
}

/** Whether a text shows in which language a conversation goes on. A few Latin words such as “ok” do not. */
export function showsLanguage(words: string): boolean {
  return /\p{Script=Han}/u.test(words) || (words.match(/\p{L}+/gu) ?? []).length > 2
}

/** The language of a text: Chinese if it has a Chinese character; undefined if it has no letters. */
export function languageIn(words: string): Language | undefined {
  if (/\p{Script=Han}/u.test(words)) return 'zh'
  return /\p{L}/u.test(words) ? 'en' : undefined
}

/** Replaces the placeholders of a text, such as `{minutes}`. */
export function fillIn(phrase: Phrase, values: Readonly<Record<string, string | number | Phrase>>): Phrase {
  const fill = (language: Language): string =>
    phrase[language].replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name] ?? placeholder
      return typeof value === 'object' ? value[language] : String(value)
    })
  return { zh: fill('zh'), en: fill('en') }
}
