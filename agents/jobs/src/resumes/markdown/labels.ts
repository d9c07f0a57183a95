import type { Language } from '../../words/language.ts'
import { anyOf } from '../../words/word-pattern.ts'
import { createNameLookup } from './name-lookup.ts'
import words from './resume-words.json' with { type: 'json' }

/** A label in the head of a resume. JSON Resume has no field for those with `x-`: we keep their values as texts. */
export type Label = keyof typeof words.labels

const labels = createNameLookup<Label>(words.labels)

/** Longest first. Only Chinese labels need no separator before them. */
const chineseNames = Object.values(words.labels)
  .flat()
  .filter((name) => /\p{Script=Han}/u.test(name))
  .toSorted((a, b) => b.length - a.length)
const BEFORE_LABEL = new RegExp(`(?<!\\s)\\s+(?=${anyOf(chineseNames)}\\s*[:：])`, 'giu')

/** What a label stands for; Chinese ones are often stretched (`姓 名`). */
export function labelOf(name: string): Label | undefined {
  const bare = name.trim().toLowerCase().replace(/\s+/g, ' ')
  return labels.find(bare) ?? labels.find(bare.replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, ''))
}

/** The label that we write. */
export function nameOf(label: Label, language: Language): string {
  return labels.nameOf(label, language)
}

export function isLabel(key: string): key is Label {
  return Object.hasOwn(words.labels, key)
}

/** Puts a separator before each label of a line that has several. */
export function separateLabels(line: string): string {
  return line.replace(BEFORE_LABEL, ' | ')
}
