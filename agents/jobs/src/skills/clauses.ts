import type { Need } from '../tables.ts'
import { fold } from './fold.ts'
import type { Section, Sentence } from './sections.ts'

// They are looked for in small letters.
const NICE_AFTER =
  /\b(?:(?:an?|big|huge|strong|definite)\s+(?:\w+\s)?(?:plus|bonus|advantage|asset)|nice[- ]to[- ]have|preferred|desirable|desired|beneficial|advantageous|welcome|not required|optional)\b|优先|加分|更佳|为佳|更好|者佳/
/** What follows these is wanted less than what stands before them. */
const NICE_BEFORE =
  /\b(?:ideally|preferably|bonus(?: points)?(?: for| if)?|nice[- ]to[- ]have|preferred[:：])|最好|加分项/
const MUST = /\b(?:must|required|mandatory|essential|minimum|at least)\b|必须|必备|务必|硬性/
const ASKS =
  /\b(?:experience|experienced|proficien\w*|knowledge|familiar\w*|strong|skilled|expert\w*|background|understanding|fluent|fluency|hands-on|degree|ability to|comfortable|looking for|years?|you know|you have)\b|熟悉|精通|掌握|熟练|具备|了解|经验|要求|擅长|良好/
/** A sentence with more commas says nothing behind them. */
const MAX_PARTS = 100
const HAN = /\p{Script=Han}/u

/** A piece of a sentence, and how much it wants what it names. */
export type Clause = { readonly text: string; readonly need: Need }

/** How much a sentence wants what it names: one that wants two things differently is cut between them. */
export function clauses({ text, section }: Sentence): readonly Clause[] {
  return parts(text).map((part) => ({ text: part, need: needOf(part, section) }))
}

function parts(text: string): readonly string[] {
  const small = fold(text)
  const ideally = NICE_BEFORE.exec(small)?.index
  if (ideally === undefined && !NICE_AFTER.test(small)) return [text]
  // In Chinese commas part what is wanted; in English they also part the things of one list.
  if (HAN.test(text)) return text.split(/[，,]/u, MAX_PARTS)
  if (ideally !== undefined && ideally > 0) return [text.slice(0, ideally), text.slice(ideally)]
  return MUST.test(small) ? text.split(/,|\bbut\b|\band\b/u, MAX_PARTS) : [text]
}

function needOf(text: string, section: Section | undefined): Need {
  const small = fold(text)
  if (section === 'nice' || NICE_AFTER.test(small) || NICE_BEFORE.test(small)) return 'nice'
  if (section === 'required') return 'required'
  if (section === 'other') return 'mentioned'
  if (MUST.test(small)) return 'required'
  return section === undefined && ASKS.test(small) ? 'required' : 'mentioned'
}
