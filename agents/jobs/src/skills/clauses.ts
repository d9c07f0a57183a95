import type { Need } from '../tables.ts'
import { wordPattern } from '../words/word-pattern.ts'
import { foldText } from './fold-text.ts'
import phrases from './posting-phrases.json' with { type: 'json' }
import type { Section, Sentence } from './posting-sections.ts'

// The text is in small letters.
const NICE_AFTER = wordPattern(phrases.niceAfter, 'u')
/** What follows these is wanted less than what stands before them. */
const NICE_BEFORE = wordPattern(phrases.niceBefore, 'u')
const MUST = wordPattern(phrases.must, 'u')
const ASKS = wordPattern(phrases.asks, 'u')
/** A sentence with more commas says nothing behind them. */
const MAX_PARTS = 100
const HAN = /\p{Script=Han}/u

/** A piece of a sentence, and how much it wants what it names. */
export type Clause = { readonly text: string; readonly need: Need }

/** How much a sentence wants what it names: one that wants two things differently is cut between them. */
export function clausesOf({ text, section }: Sentence): readonly Clause[] {
  return parts(text).map((part) => ({ text: part, need: needOf(part, section) }))
}

function parts(text: string): readonly string[] {
  const small = foldText(text)
  const ideally = NICE_BEFORE.exec(small)?.index
  if (ideally === undefined && !NICE_AFTER.test(small)) return [text]
  // In Chinese commas part what is wanted; in English they also part the things of one list.
  if (HAN.test(text)) return text.split(/[，,]/u, MAX_PARTS)
  if (ideally !== undefined && ideally > 0) return [text.slice(0, ideally), text.slice(ideally)]
  return MUST.test(small) ? text.split(/,|\bbut\b|\band\b/u, MAX_PARTS) : [text]
}

function needOf(text: string, section: Section | undefined): Need {
  const small = foldText(text)
  if (section === 'nice' || NICE_AFTER.test(small) || NICE_BEFORE.test(small)) return 'nice'
  if (section === 'required') return 'required'
  if (section === 'other') return 'mentioned'
  if (MUST.test(small)) return 'required'
  return section === undefined && ASKS.test(small) ? 'required' : 'mentioned'
}
