import { cut, plain, type RichText } from '../markdown/rich-text.ts'

const WITH_DATES = /^(?<what>.*\S)\s*[|｜]\s*(?<when>[^|｜@]{0,40}(?:19|20)\d\d[^|｜@]{0,40})$/u

/** `Engineer, Acme | 2019 – 2023`: what was done, and when. Undefined for any other line. */
export function splitDates(line: RichText): { readonly what: RichText; readonly when: RichText } | undefined {
  const words = plain(line)
  const { what, when } = WITH_DATES.exec(words)?.groups ?? {}
  if (what === undefined || when === undefined) return undefined
  return { what: cut(line, 0, what.length), when: cut(line, words.length - when.length, words.length) }
}
