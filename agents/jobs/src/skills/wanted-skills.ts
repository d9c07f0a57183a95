import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { needs, type Need } from '../tables.ts'
import { clausesOf } from './clauses.ts'
import { sentencesOf } from './posting-sections.ts'
import { skillsIn, type Mention } from './skills-in.ts'

/** A skill that a posting names, how much it wants it, and where it says so. */
export type WantedSkill = { readonly skill: string; readonly need: Need; readonly quote: string }

/** Of a longer posting only the beginning is read. */
const MAX_CHARACTERS = 20_000
const MAX_QUOTE_LENGTH = 200

/** The skills that a posting names, the most wanted first. What its headings and its words say of need decides. */
export function wantedSkills(description: string): readonly WantedSkill[] {
  const found = new Map<string, WantedSkill>()
  const all = sentencesOf(description.slice(0, MAX_CHARACTERS)).flatMap(clausesOf)
  for (const { text, need } of all) {
    for (const mention of skillsIn(text)) {
      const earlier = found.get(mention.skill)
      if (earlier && needs.indexOf(earlier.need) <= needs.indexOf(need)) continue
      found.set(mention.skill, { skill: mention.skill, need, quote: quoteOf(text, mention) })
    }
  }
  return [...found.values()].toSorted((one, other) => needs.indexOf(one.need) - needs.indexOf(other.need))
}

function quoteOf(text: string, { at, said }: Mention): string {
  if (text.length <= MAX_QUOTE_LENGTH) return toSingleLine(text)
  const from = Math.max(0, Math.min(at - 60, text.length - MAX_QUOTE_LENGTH))
  return toSingleLine(text.slice(from, Math.max(from + MAX_QUOTE_LENGTH, at + said.length)))
}
