import { normalForm } from 'dragoman/events'
import { dateRanges } from '../resumes/markdown/dates.ts'
import { plainWithAddresses } from '../markdown/strip-markdown.ts'
import { outlineOf, type Block } from '../resumes/markdown/outline.ts'
import type { Section } from '../resumes/markdown/sections.ts'

/** A line of a resume without its markup. An entry names an employer, a school, a project. An item is in a list. */
export type ResumeLine = {
  /** From 1. */
  readonly at: number
  readonly text: string
  readonly role: 'section' | 'entry' | 'item' | 'prose'
  readonly section: Section | 'head' | 'unknown'
}

const MAX_ENTRY_LENGTH = 140
const ENTRY_SIGN = /\s[|·—–@-]\s|^(?:\*\*|__)/u
const WITH_ENTRIES: ReadonlySet<ResumeLine['section']> = new Set([
  'work',
  'projects',
  'education',
  'certificates',
  'head',
])

/** Reads the lines of a resume in Markdown. The heading of an unknown section is an entry: it may claim something. */
export function linesOf(markdown: string): readonly ResumeLine[] {
  const { head, parts } = outlineOf(markdown)
  const inParts = parts.flatMap(({ title, line, section, blocks }) => {
    const name: ResumeLine['section'] = section ?? 'unknown'
    const own: ResumeLine = {
      at: line,
      text: plainWithAddresses(title),
      role: section ? 'section' : 'entry',
      section: name,
    }
    return [own].concat(blocks.map((block) => lineOf(block, name)))
  })
  return [...head.map((block) => lineOf(block, 'head')), ...inParts].filter(
    ({ text }) => normalizeText(text) !== '',
  )
}

function lineOf(block: Block, section: ResumeLine['section']): ResumeLine {
  const text = plainWithAddresses(block.text)
  return { at: block.line, text, role: roleOf(block, normalizeText(text), section), section }
}

function roleOf(block: Block, text: string, section: ResumeLine['section']): ResumeLine['role'] {
  if (block.kind === 'heading') return 'entry'
  if (block.kind === 'bullet') return 'item'
  const mayBeEntry = WITH_ENTRIES.has(section) && text.length <= MAX_ENTRY_LENGTH && !/[.。；;]$/u.test(text)
  const isEntry = section === 'education' || ENTRY_SIGN.test(block.text) || dateRanges(text).length > 0
  return mayBeEntry && isEntry ? 'entry' : 'prose'
}

/** Text in the form in which texts are compared: NFKC, one kind of dash and quote, single spaces. */
export function normalizeText(text: string): string {
  return normalForm(text, 'NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‐‑‒]/gu, '-')
    .replace(/[‘’]/gu, "'")
    .replace(/(?:(?<!\s)\s+)?\|\s*/gu, ' | ')
    .replace(/\s+/gu, ' ')
    .replace(/^[ |]{1,40}|[ |]{1,40}$/gu, '')
}

/** A text in one form, without case and final signs: equal texts make equal claims. */
export function foldText(text: string): string {
  return normalizeText(text)
    .toLowerCase()
    .replace(/[\s\p{P}]{1,40}$/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** A full stop ends a sentence, but not after `B.Sc.` or `Inc.` */
const SENTENCE_END = new RegExp(
  [
    String.raw`(?<=[.!?])(?<!\b(?:\p{Lu}\.\p{L}{0,3}|Inc|Ltd|Co|Corp|Sr|Jr|Dr|St|No|e\.g|i\.e)\.)`,
    String.raw`\s+(?=[\p{Lu}\p{Script=Han}\d"'(])|(?<=[。!?！？；;])\s*|;\s+`,
  ].join(''),
  'u',
)

/** A part of a line, and where it begins. */
export type Part = { readonly text: string; readonly at: number }

export function sentencesOf(line: string): readonly Part[] {
  return partsOf(line, SENTENCE_END)
}

const CLAUSE_END = new RegExp(
  [
    String.raw`(?<!\d)[,，]|[,，](?!\d{3})|[、。；;:：]|\s[–—-]\s`,
    String.raw`\b(?:and|plus|while|which|that|with|as well as|then)\b|并且|同时|以及|从而|使得?|并|且|和|及`,
  ].join('|'),
  'iu',
)

/** The parts of a sentence that make one claim each. */
export function clausesOf(sentence: string): readonly string[] {
  return partsOf(sentence, CLAUSE_END).map(({ text }) => text)
}

function partsOf(text: string, separator: RegExp): readonly Part[] {
  let end = 0
  const parts = text.split(separator).map((part) => {
    const at = text.indexOf(part, end)
    end = at + part.length
    return { text: part, at }
  })
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part.text))
}
