import { cut, plain, type RichText } from '../markdown/rich-text.ts'

const WITH_DATES = /^(?<what>.*\S)\s*[|｜]\s*(?<when>[^|｜@]{4,84})$/u
const YEAR = /(?=(?:19|20)\d\d)/g
/** Characters before and after a year. */
const MAX_AROUND_YEAR = 40

/** `Engineer, Acme | 2019 – 2023`: what was done, and when. Undefined for any other line. */
export function splitDates(line: RichText): { readonly what: RichText; readonly when: RichText } | undefined {
  const words = plain(line)
  const { what, when } = WITH_DATES.exec(words)?.groups ?? {}
  if (what === undefined || when === undefined || !isDated(when)) return undefined
  return { what: cut(line, 0, what.length), when: cut(line, words.length - when.length, words.length) }
}

function isDated(text: string): boolean {
  return [...text.matchAll(YEAR)].some(
    ({ index }) => index <= MAX_AROUND_YEAR && text.length - index - 4 <= MAX_AROUND_YEAR,
  )
}
