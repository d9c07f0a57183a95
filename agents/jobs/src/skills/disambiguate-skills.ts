import { anyOf } from '../words/word-pattern.ts'
import { ambiguousNames, type Ambiguity } from './ambiguous-names.ts'
import context from './skill-context.json' with { type: 'json' }

/** A name that stands in a text, and may be a skill. */
export type Candidate = {
  readonly skill: string
  readonly alias: string
  readonly at: number
  readonly end: number
}

/** Between two things of one list. */
const LIST = /^[\s,、/;|&+()·•*-]*(?:(?:and\b|or\b|和|或|与|及|以及)[\s(*-]*)?$/
/** A list beyond ambiguity: "React and go" may be a sentence. */
const STRICT_LIST = /^\s*[,、/|·•]\s*$/
const MAX_GAP_CHARACTERS = 12

const BEFORE = new RegExp(
  String.raw`(?:\b${anyOf(context.wordsBefore)}|${context.partsBefore.join('|')})[\s(（]*$`,
  'iu',
)
const AFTER = new RegExp(String.raw`^[\s)）]*${anyOf(context.after)}`, 'iu')
/** Words with which such a letter or word means something else: "Series C", "R&D", "C-level". */
const OTHERWISE_BEFORE =
  /(?:\b(?:series|class|grade|vitamin|plan|round|type|part|tier|option|appendix)\s|[&'’-])$/iu
const OTHERWISE_AFTER = /^(?:[&'’]|-[a-z]|\s(?:19|20)\d\d)/iu
/** A word of a sentence that has not just begun. */
const MIDWAY = /[a-z0-9,]\s$/u
const HAN_BEFORE = /\p{Script=Han}\s?$/u
const HAN_AFTER = /^\s?\p{Script=Han}/u

/** The candidates that are skills beyond reasonable doubt. An everyday word needs evidence in the words next to it. */
export function disambiguateSkills(candidates: readonly Candidate[], text: string): readonly Candidate[] {
  const sure = candidates.map((candidate) => sureAlone(candidate, text))
  // In a list each makes the next one sure, from both sides.
  for (let at = 1; at < candidates.length; at += 1)
    sure[at] ||= hasCertainNeighbor(candidates, at, at - 1, { sure, text })
  for (let at = candidates.length - 2; at >= 0; at -= 1)
    sure[at] ||= hasCertainNeighbor(candidates, at, at + 1, { sure, text })
  return candidates.filter((_, at) => sure[at])
}

function sureAlone({ alias, at, end }: Candidate, text: string): boolean {
  const ambiguity = ambiguousNames.get(alias)
  if (!ambiguity) return true
  const before = text.slice(Math.max(0, at - 20), at)
  const after = text.slice(end, end + 20)
  if (OTHERWISE_BEFORE.test(before) || OTHERWISE_AFTER.test(after)) return false
  if (!isSpelled(ambiguity, text.slice(at, end))) return alias.length > 1 && amongHan(before, after)
  return (
    ambiguity.needs === 'exact' ||
    (ambiguity.needs === 'midway' && MIDWAY.test(before)) ||
    BEFORE.test(before) ||
    AFTER.test(after) ||
    (alias.length > 1 && amongHan(before, after)) ||
    isLine(before, after)
  )
}

/** A foreign word in Chinese is a name. */
function amongHan(before: string, after: string): boolean {
  return HAN_BEFORE.test(before) || HAN_AFTER.test(after)
}

function isLine(before: string, after: string): boolean {
  return /(?:^|\n)(?:[^\S\n]|[*•·-])*$/.test(before) && /^\s*(?:\n|$)/.test(after)
}

function isSpelled({ spelled }: Ambiguity, spelling: string): boolean {
  return spelling === spelled || (spelling.length > 2 && spelling === spelled.toUpperCase())
}

function hasCertainNeighbor(
  candidates: readonly Candidate[],
  at: number,
  other: number,
  { sure, text }: { readonly sure: readonly boolean[]; readonly text: string },
): boolean {
  const one = candidates[at]
  const neighbor = candidates[other]
  if (!one || !neighbor || !sure[other]) return false
  const from = Math.min(one.end, neighbor.end)
  const to = Math.max(one.at, neighbor.at)
  if (to - from > MAX_GAP_CHARACTERS || OTHERWISE_AFTER.test(text.slice(one.end, one.end + 2))) return false
  const between = text.slice(from, to)
  const ambiguity = ambiguousNames.get(one.alias)
  const spelled = ambiguity !== undefined && isSpelled(ambiguity, text.slice(one.at, one.end))
  return spelled ? LIST.test(between) : one.alias.length > 1 && STRICT_LIST.test(between)
}
