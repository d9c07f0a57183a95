import { findDates } from './dates.ts'
import { hideEscapes, stripMarkdown } from '../../markdown/strip-markdown.ts'
import { sectionOf, type Section } from './sections.ts'

/** A line of a resume, and its number from 1. Its text still has its marks; escaped characters are hidden in it. */
export type Block = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'heading'; readonly level: number }
  | { readonly kind: 'bullet' | 'line' }
)

/** The blocks under one heading. `section` is missing for a heading that is none of those we know. */
export type Part = {
  readonly title: string
  readonly line: number
  readonly section: Section | undefined
  readonly blocks: Block[]
}

/** `head` is what stands before the first section. */
export type Outline = { readonly head: readonly Block[]; readonly parts: readonly Part[] }

const HEADING = /^ {0,3}(#{1,6})(?=\s)(.*)$/s
/** The signs that may close a heading. */
const CLOSING = /(?<!\s)\s+#+$/
const BULLET = /^(\s*)(?:[-*+•●◦·▪■○➢✓‣∙]|\d{1,3}(?:[.)](?=\s)|、))(?:\s+|(?<=[•●◦·▪■○➢✓‣∙、]))(?=\S)(.*)$/u
const RULE = /^\s*(?:(?:[-*_]\s*){3,}|(?:\|\s*)?(?::?-{2,}:?\s*\|\s*)+(?::?-{2,}:?\s*)?)$/

const MAX_RULE_LENGTH = 500

/** Cuts Markdown into its lines. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let afterGap = true
  for (const [at, raw] of hideEscapes(markdown)
    .split(/\r\n?|\n/)
    .entries()) {
    const last = blocks.at(-1)
    const trimmed = raw.trim()
    const line = at + 1
    const heading = HEADING.exec(raw)
    const isRule = raw.length < MAX_RULE_LENGTH && RULE.test(raw)
    const bullet = isRule ? null : BULLET.exec(raw)
    if (heading)
      blocks.push({
        kind: 'heading',
        line,
        level: heading[1]?.length ?? 1,
        text: (heading[2] ?? '').trim().replace(CLOSING, ''),
      })
    else if (!afterGap && last?.kind === 'line' && /^(=+|-{3,})$/.test(trimmed)) {
      blocks[blocks.length - 1] = { ...last, kind: 'heading', level: trimmed.startsWith('=') ? 1 : 2 }
    } else if (bullet) blocks.push({ kind: 'bullet', line, text: (bullet[2] ?? '').trim() })
    else if (trimmed !== '' && !isRule) add(blocks, trimmed, line, !afterGap && /^\s{2,}/.test(raw))
    afterGap = trimmed === ''
  }
  return blocks
}

function add(blocks: Block[], trimmed: string, line: number, indented: boolean): void {
  const last = blocks.at(-1)
  // A quotation and a table's row are lines like others.
  const text = trimmed
    .replace(/^>\s?/, '')
    .replace(/^\|(.*?)\|?$/, '$1')
    .trim()
  if (indented && last?.kind === 'bullet') {
    blocks[blocks.length - 1] = { ...last, text: joinLines(last.text, text) }
  } else if (text !== '') blocks.push({ kind: 'line', line, text })
}

/** Two halves of a sentence. Chinese has no space where a line ends. */
export function joinLines(before: string, after: string): string {
  const chinese =
    /[\p{Script=Han}，。；：、！？）》”]$/u.test(before) && /^[\p{Script=Han}，。；：、（《“]/u.test(after)
  return `${before}${chinese ? '' : ' '}${after}`
}

/** Says which lines stand under which section. */
export function outlineOf(markdown: string): Outline {
  const blocks = blocksOf(markdown)
  const headings = blocks.filter((block) => block.kind === 'heading')
  const recognised = headings.find(({ text }) => sectionOf(stripMarkdown(text)))
  const most = recognised?.level ?? 2
  const head: Block[] = []
  const parts: Part[] = []
  for (const block of blocks) {
    const open = parts.at(-1)
    const begins = startsPart(block, { most, headings: headings.length > 0, open, first: head.length === 0 })
    if (begins)
      parts.push({
        title: stripMarkdown(block.text),
        line: block.line,
        section: sectionOf(stripMarkdown(block.text)),
        blocks: [],
      })
    else if (open) open.blocks.push(block)
    else head.push(block)
  }
  return { head, parts }
}

type Place = {
  readonly most: number
  /** Whether the resume has headings at all. */
  readonly headings: boolean
  readonly open: Part | undefined
  readonly first: boolean
}

function startsPart(block: Block, { most, headings, open, first }: Place): boolean {
  const isSection = sectionOf(stripMarkdown(block.text)) !== undefined
  switch (block.kind) {
    case 'bullet':
      return false
    case 'line':
      // Some only embolden the names of their sections, and plain text cannot do even that.
      return isSection && (!headings || /^(\*\*|__).*(\*\*|__)[:：]?$/.test(block.text))
    case 'heading':
      if (isSection) return block.level <= most || open === undefined
      if (block.level > most || (first && open === undefined)) return false
      // Where a job has as large a heading as its section, its time tells it.
      return open?.section === undefined || findDates(block.text)?.range !== true
  }
}
