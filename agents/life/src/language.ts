export const languages = ['zh', 'en'] as const
/** In which cards, greetings and what is told to the model are written. */
export type Language = (typeof languages)[number]

/** The same words in each. */
export type Phrase = Readonly<Record<Language, string>>

/** The language of what somebody wrote: Chinese where it has a Chinese character; none where it has no letters. */
export function languageIn(words: string): Language | undefined {
  if (/\p{Script=Han}/u.test(words)) return 'zh'
  return /\p{L}/u.test(words) ? 'en' : undefined
}
