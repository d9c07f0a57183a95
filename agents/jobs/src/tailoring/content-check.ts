import type { SectionName } from './claims.ts'
import type { Finding, MarkKind } from './mark.ts'
import { closest, fragmentOf, type NamingLine, type Source } from './source.ts'
import { wordingOf, type Wording } from './wording.ts'

/** A sentence may say so much of its content in words that the source has not: rephrasing needs some. */
const MOST_UNKNOWN = 0.25

/** What a sentence adds in words of no name: whole claims, and a greater share in what was done. */
export function contentFindings(sentence: NamingLine, source: Source): readonly Finding[] {
  const { text, rest, role, mentions, section } = sentence
  if (section in LISTS) return []
  const wording = wordingOf(rest)
  const { stems, pieces } = source.vocabulary.missing(wording)
  const unknown = weight({ stems, pieces })
  const whole = weight({ stems: [...wording.stems], pieces: wording.pieces }) + mentions.length
  const isNowhere = mentions.length === 0 && hasWords(wording, rest) && !source.vocabulary.knowsAny(wording)
  const isFiller = whole === 0 && role !== 'item'
  if ((isNowhere && !isFiller) || (unknown >= 1 && unknown / whole >= MOST_UNKNOWN)) {
    return [{ kind: 'invented_content', said: text }]
  }
  return raisedShare(text, source)
}

function hasWords({ stems, free, pieces }: Wording, rest: string): boolean {
  return stems.size + free.size + pieces.length > 0 || /\p{Script=Han}{2}/u.test(rest)
}

/** Two Chinese characters weigh as much as a word. */
function weight({ stems, pieces }: { stems: readonly string[]; pieces: readonly string[] }): number {
  return stems.length + pieces.join('').length / 2
}

const HELPED = /\b(?:assist|help|contribut|support|participat|involved in)\w*|参与|协助|配合|辅助|参加/iu
const DID =
  /\b(?:own(?:ed|s)?|built|buil[dt]ing|designed|architected|created|developed|drove|delivered|responsible)\b|负责|主导|独立|全权|牵头/iu

/** Whoever helped with something has not done it alone. */
function raisedShare(text: string, source: Source): readonly Finding[] {
  const said = DID.exec(text)?.[0]
  if (said === undefined || HELPED.test(text)) return []
  const { keys } = fragmentOf(text)
  const best = closest(keys, source.singles)
  if (!best || best.common < keys.size / 2) return []
  const isRaised = HELPED.test(best.fragment.text) && !DID.test(best.fragment.text)
  return isRaised ? [{ kind: 'invented_content', said }] : []
}

const LISTS: Readonly<Partial<Record<SectionName, MarkKind>>> = {
  skills: 'fabricated_skill',
  languages: 'fabricated_skill',
  certificates: 'fabricated_certificate',
  awards: 'invented_content',
}

/** In a list each element is a claim of its own: none may hide among true ones. */
export function listFindings({ section, text, rest }: NamingLine, source: Source): readonly Finding[] {
  const kind = LISTS[section]
  if (kind === undefined) return []
  return elementsOf(rest).flatMap(([start, end]) => {
    const { stems, pieces } = source.vocabulary.missing(wordingOf(rest.slice(start, end)))
    return stems.length + pieces.length > 0 ? [{ kind, said: text.slice(start, end).trim() }] : []
  })
}

/** Where each element begins and ends. What stands before a colon names the list. */
function elementsOf(list: string): readonly (readonly [start: number, end: number])[] {
  const label = /^[^:,、;]{1,40}:/u.exec(list)?.[0].length ?? 0
  const ends = [...list.matchAll(/[,、;|·/()]|$/gu)].map(({ index }) => index).filter((end) => end >= label)
  return ends.map((end, nth) => [nth === 0 ? label : (ends[nth - 1] ?? 0) + 1, end])
}
