/** The languages that are read and answered in. */
export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]

const MAX_CHARACTERS = 20_000

const HAN = /\p{Script=Han}/u

/** Whether a text has Chinese in it. */
export function hasChinese(text: string): boolean {
  return HAN.test(text)
}

/**
 * The language of a resume or a posting. Chinese ones are full of English names of techniques; English ones have at
 * most a Chinese name.
 */
export function languageOf(text: string): Language {
  const looked = text.slice(0, MAX_CHARACTERS)
  const characters = looked.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = looked.match(/\p{Script=Latin}{2,}/gu)?.length ?? 0
  return characters > 0 && characters * 2 >= words ? 'zh' : 'en'
}

/** The language of a list: a title is Chinese as soon as it has Chinese in it, and more than half of them decide. */
export function languageOfTitles(titles: readonly string[]): Language {
  return titles.filter(hasChinese).length * 2 > titles.length ? 'zh' : 'en'
}
