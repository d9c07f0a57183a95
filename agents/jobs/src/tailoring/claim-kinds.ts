import { anyOf, wordPattern } from '../words/word-pattern.ts'
import words from './claim-words.json' with { type: 'json' }
import type { MarkKind } from './truth-shapes.ts'
import type { Statement } from './resume-evidence.ts'

const { claims } = words

/** A title in capitals: the role and up to three words before it. */
const TITLE = new RegExp(
  [
    String.raw`(?:\p{Lu}[\p{L}+#./-]{0,40}\s{1,3}){1,3}(?:Engineer|Developer|Programmer|Scientist|Designer`,
    String.raw`|Analyst|Consultant|Architect|Administrator|Manager)\b`,
  ].join(''),
  'gu',
)
/** For a tailored resume, which has at most 100,000 characters, and in a worker. */
const CERTIFICATE = new RegExp(
  [
    String.raw`(?:[\p{L}\d+#-]{2,30}\s)?\b${anyOf(claims.certificate.words)}\b(?:\s[\p{L}\d+#-]{2,30}){0,2}`,
    ...claims.certificate.chinese,
  ].join('|'),
  'giu',
)
/** A Chinese name that says what it names. */
const ORGANIZATION = new RegExp(
  String.raw`\p{Script=Han}{2,12}?(?:有限公司|公司|集团|银行|大学|学院|研究院|研究所|事务所|医院)`,
  'gu',
)
const TITLE_WORD = new RegExp(`^${anyOf(claims.titleWord.words)}$|${anyOf(claims.titleWord.endings)}$`, 'iu')
const DEGREE = wordPattern(claims.degree, 'giu')
const SCHOOL = wordPattern(claims.school)
const EMPLOYER = wordPattern(claims.employer, 'gu')

/** Phrases that are claims by themselves: one line of the resume must contain the whole phrase. */
export const CLAIMS: readonly (readonly [MarkKind, RegExp])[] = [
  ['fabricated_title', wordPattern(claims.rank, 'giu')],
  ['fabricated_title', TITLE],
  ['fabricated_degree', DEGREE],
  ['fabricated_certificate', CERTIFICATE],
  ['fabricated_company', EMPLOYER],
  ['fabricated_company', ORGANIZATION],
  ['invented_content', wordPattern(claims.boast, 'giu')],
]

/** A claim of a share in something, and of the whole of it. */
export const HELPED = wordPattern(claims.helped)
export const DID = wordPattern(claims.did)

const BY_SECTION: Readonly<Partial<Record<Statement['section'], MarkKind>>> = {
  skills: 'fabricated_skill',
  education: 'fabricated_degree',
  certificates: 'fabricated_certificate',
}

/** The kind of a name that the resume does not have, by the name and the words next to it. */
export function kindOf(name: string, { section, role }: Statement, text: string): MarkKind {
  const at = text.indexOf(name)
  const before = text.slice(Math.max(0, at - 30), at)
  const after = text.slice(at + name.length)
  const next = /^\s*(\S+)/u.exec(after)?.[1] ?? ''
  const isName = (pattern: RegExp): boolean => name.search(pattern) >= 0
  if (section === 'skills') return 'fabricated_skill'
  if (isName(DEGREE) || isName(SCHOOL) || SCHOOL.test(after.slice(0, 14))) return 'fabricated_degree'
  if (isName(EMPLOYER) || isName(ORGANIZATION)) return 'fabricated_company'
  if (name.split(' ').some((word) => TITLE_WORD.test(word))) return 'fabricated_title'
  const isPlace = /\b(?<![\p{L}\p{N}])(?:at|for|joined|from)\s+(?:\p{Lu}[\p{L}\p{N}]*\s+)*$/u.test(before)
  if (isPlace || /^\s*(?:inc|ltd|llc|gmbh|corp)\b/iu.test(after)) return 'fabricated_company'
  if (role === 'entry' && TITLE_WORD.test(next)) return 'fabricated_title'
  if (role === 'entry' && section === 'work') return 'fabricated_company'
  const isTool = /^.+\p{Lu}|\p{L}[\d+#]/u.test(name) || /\p{Script=Han}/u.test(text)
  return BY_SECTION[section] ?? (isTool ? 'fabricated_skill' : 'invented_content')
}
