import { dateRanges } from '../resumes/markdown/dates.ts'
import { plainWithAddresses } from '../markdown/marks.ts'
import { outlineOf, type Block } from '../resumes/markdown/outline.ts'
import type { Section } from '../resumes/markdown/sections.ts'

/**
 * A line of a resume, without its markup, in NFKC. An entry names an employer, a school, a project; an item stands in
 * a list.
 */
export type Line = {
  /** From 1. */
  readonly at: number
  readonly text: string
  readonly role: 'section' | 'entry' | 'item' | 'prose'
  readonly section: Section | 'head' | 'unknown'
}

const MAX_ENTRY_LENGTH = 140
const ENTRY_SIGN = /\s[|·—–@-]\s|^(?:\*\*|__)/u
const WITH_ENTRIES: ReadonlySet<Line['section']> = new Set([
  'work',
  'projects',
  'education',
  'certificates',
  'head',
])

/** Reads the lines of a resume in Markdown. The heading of an unknown section is an entry: it may claim something. */
export function linesOf(markdown: string): readonly Line[] {
  const { head, parts } = outlineOf(markdown)
  const inParts = parts.flatMap(({ title, line, section, blocks }) => {
    const name: Line['section'] = section ?? 'unknown'
    const own: Line = { at: line, text: plain(title), role: section ? 'section' : 'entry', section: name }
    return [own].concat(blocks.map((block) => lineOf(block, name)))
  })
  return [...head.map((block) => lineOf(block, 'head')), ...inParts].filter(({ text }) => text !== '')
}

function lineOf(block: Block, section: Line['section']): Line {
  const text = plain(block.text)
  return { at: block.line, text, role: roleOf(block, text, section), section }
}

function roleOf(block: Block, text: string, section: Line['section']): Line['role'] {
  if (block.kind === 'heading') return 'entry'
  if (block.kind === 'bullet') return 'item'
  const mayBeEntry = WITH_ENTRIES.has(section) && text.length <= MAX_ENTRY_LENGTH && !/[.。；;]$/u.test(text)
  const isEntry = section === 'education' || ENTRY_SIGN.test(block.text) || dateRanges(text).length > 0
  return mayBeEntry && isEntry ? 'entry' : 'prose'
}

function plain(text: string): string {
  return inOneForm(plainWithAddresses(text))
}

/** Text in the form in which texts are compared: NFKC, one kind of dash and quote, single spaces. */
export function inOneForm(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‐‑‒]/gu, '-')
    .replace(/[‘’]/gu, "'")
    .replace(/\s*\|\s*/gu, ' | ')
    .replace(/\s+/gu, ' ')
    .replace(/^[ |]{1,40}|[ |]{1,40}$/gu, '')
}

/** A text without the differences that do not count: case, spaces, and signs at its end. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\p{P}]{1,40}$/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** A full stop ends a sentence, but not after `B.Sc.` or `Inc.` */
const SENTENCE_END =
  /(?<=[.!?])(?<!\b(?:\p{Lu}\.\p{L}{0,3}|Inc|Ltd|Co|Corp|Sr|Jr|Dr|St|No|e\.g|i\.e)\.)\s+(?=[\p{Lu}\p{Script=Han}\d"'(])|(?<=[。!?；;])\s*|;\s+/u

export function sentencesOf(line: Pick<Line, 'text'>): readonly string[] {
  return line.text.split(SENTENCE_END).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

const CLAUSE_END =
  /(?<!\d),|,(?!\d{3})|[、。；;:]|\s[–—-]\s|\b(?:and|plus|while|which|that|with|as well as|then)\b|(?:并且|同时|以及|从而|使得?|并|且|和|及|，)/iu

/** The parts of a sentence that say one thing each. */
export function clausesOf(sentence: string): readonly string[] {
  return sentence.split(CLAUSE_END).filter((clause) => /[\p{L}\p{N}]/u.test(clause))
}
