import {
  BOAST,
  CERTIFICATE,
  DEGREES,
  KNOWN_EMPLOYERS,
  ORGANISATION,
  RANK,
  ROLE,
  SCHOOL,
} from './claim-words.ts'
import type { Finding, MarkKind } from './mark.ts'
import { fragmentOf, type NamingLine, type Source } from './source.ts'
import { isStop, overlap, stem, wordingOf, wordsOf } from './wording.ts'

/** Names and ranks in a sentence that the source does not bear out. */
export function nameFindings(sentence: NamingLine, source: Source): readonly Finding[] {
  const { text } = sentence
  return [
    ...(text.search(CERTIFICATE) < 0 ? titles(text, source) : []),
    ...degrees(text, source),
    ...certificates(sentence, source),
    ...organisations(text, source),
    ...properNames(sentence, source),
    ...boasts(sentence, source),
  ]
}

function titles(text: string, source: Source): readonly Finding[] {
  const ranks = (text.match(RANK) ?? []).filter(
    (rank) => !source.hasWords(rank) && !source.vocabulary.hasStem(stem(rank)),
  )
  const roles = [...text.matchAll(ROLE)].flatMap(([, before = '', role = '']) => {
    const words = [...titleWords(before), role]
    const inOne = source.singles.some(({ stems }) => words.every((word) => stems.has(stem(word))))
    return words.length > 1 && !inOne && /^\p{Lu}/u.test(role) ? [words.join(' ')] : []
  })
  return [...ranks, ...roles].map((said) => ({ kind: 'fabricated_title', said }))
}

/** The words right before a role that belong to it. */
function titleWords(before: string): readonly string[] {
  const words = before.trim().split(/\s+/u).filter(Boolean)
  const start = words.findLastIndex((word) => isStop(word) || !/^\p{Lu}/u.test(word))
  return words.slice(start + 1)
}

function degrees(text: string, source: Source): readonly Finding[] {
  return DEGREES.flatMap(([, pattern]) => {
    const said = pattern.exec(text)?.[0]
    return said === undefined || source.lines.some((line) => pattern.test(line.text))
      ? []
      : [{ kind: 'fabricated_degree', said }]
  })
}

/** What somebody is certified for must stand beside the certificate. */
function certificates({ text }: NamingLine, source: Source): readonly Finding[] {
  const triggers = text.match(CERTIFICATE) ?? []
  if (triggers.length === 0) return []
  const keys = fragmentOf(text).keys
  return triggers.flatMap((said) => {
    const places = source.singles.filter((each) => each.text.toLowerCase().includes(said.toLowerCase()))
    const isKnown = places.some((each) => keys.size <= 1 || overlap(keys, each.keys) > 1)
    return isKnown ? [] : [{ kind: 'fabricated_certificate', said: around(text, said) }]
  })
}

function around(text: string, said: string): string {
  const at = text.indexOf(said)
  const start = Math.max(0, text.slice(0, at).search(/[^,;、，。:]*$/u))
  return (
    text
      .slice(start, at + said.length + 40)
      .split(/[,;、，。]/u)[0]
      ?.trim() ?? said
  )
}

function organisations(text: string, source: Source): readonly Finding[] {
  const known = (text.match(KNOWN_EMPLOYERS) ?? []).filter((said) => !source.hasWords(said))
  const named = [...text.matchAll(ORGANISATION)].flatMap(({ groups }) => {
    const { name = '', kind = '' } = groups ?? {}
    return source.hasWords(name.slice(-2) + kind) || isGeneral(name) ? [] : [name + kind]
  })
  return [...known, ...named].map((said) => ({
    kind: SCHOOL.test(said) ? 'fabricated_degree' : 'fabricated_company',
    said,
  }))
}

/** 为银行, 本公司: no name. */
function isGeneral(name: string): boolean {
  return wordingOf(name).pieces.join('').length < 2
}

function properNames(sentence: NamingLine, source: Source): readonly Finding[] {
  const { text, rest } = sentence
  const inChinese = /\p{Script=Han}/u.test(text)
  const words = wordsOf(rest)
  const long = words.filter((word) => word.length > 3)
  const isTitleCase =
    long.length > 2 && long.filter((word) => /^\p{Lu}/u.test(word)).length > long.length * 0.6
  return words.flatMap((said, index) => {
    const looks = /^.+\p{Lu}|^\p{Lu}[\d+#]|^\p{L}+\d/u.test(said)
    const isName = looks || (/^\p{Lu}/u.test(said) && index > 0 && !isTitleCase && !startsClause(rest, said))
    if (!(isName || inChinese) || wordingOf(said).stems.size === 0 || isDegree(said)) return []
    if (source.vocabulary.hasStem(stem(said)) || source.hasWords(said)) return []
    return [{ kind: nameKind(said, sentence, inChinese || looks), said }]
  })
}

/** Those have a check of their own. */
function isDegree(said: string): boolean {
  return DEGREES.some(([, pattern]) => pattern.test(said))
}

function startsClause(text: string, word: string): boolean {
  const at = text.indexOf(word)
  const before = text.slice(Math.max(0, at - 8), at)
  return (at < 8 && before.trim() === '') || /(?:[:;.!?(/|"]|\s[–—-])\s*$/u.test(before)
}

function nameKind(said: string, { section, text }: NamingLine, isTechnical: boolean): MarkKind {
  const at = text.indexOf(said)
  const before = text.slice(Math.max(0, at - 20), at)
  const after = text.slice(at + said.length)
  if (section === 'skills') return 'fabricated_skill'
  if (SCHOOL.test(after.slice(0, 14)) || SCHOOL.test(said)) return 'fabricated_degree'
  if (/\b(?:at|for|joined|from)\s+(?:\p{Lu}[\p{L}\p{N}]*\s+)*$/u.test(before)) return 'fabricated_company'
  if (/^\s*(?:inc|ltd|llc|gmbh|corp)\b/iu.test(after)) return 'fabricated_company'
  return isTechnical ? 'fabricated_skill' : 'invented_content'
}

/** Leading, honours and size: the source must say so of the same thing. */
function boasts({ text, section }: NamingLine, source: Source): readonly Finding[] {
  const { keys } = fragmentOf(text)
  const isSummary = section === 'summary' || section === 'head'
  return [...text.matchAll(BOAST)].flatMap(({ 0: said, index }) => {
    const longer = text.slice(Math.max(0, index - 2), index + said.length)
    if (/^\p{Script=Han}+$/u.test(longer) && longer.length > said.length && source.hasWords(longer)) return []
    const own = stem(said)
    const others = new Set([...keys].filter((key) => key !== own && !said.includes(key)))
    const isKnown = source.singles.some(
      (each) =>
        (each.stems.has(own) || (/\p{Script=Han}/u.test(said) && each.text.includes(said))) &&
        (isSummary || others.size === 0 || overlap(others, each.keys) > 0),
    )
    return isKnown ? [] : [{ kind: 'invented_content', said }]
  })
}
