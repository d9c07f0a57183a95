import { findDates } from './dates.ts'
import type { Block } from './outline.ts'
import { stripMarkdown } from '../../markdown/strip-markdown.ts'

/** One job, school or project: the lines that head it, its sentences and its points. */
export type Entry = { readonly head: string[]; readonly lines: string[]; readonly bullets: string[] }

const MAX_HEAD_LINES = 4
const MAX_HEAD_LINE_LENGTH = 120

/** Parts a section's lines into its entries, by headings where it has some, else by times and by what is emboldened. */
export function entriesOf(blocks: readonly Block[]): readonly Entry[] {
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []))
  return levels.length > 0 ? byHeadings(blocks, Math.min(...levels)) : byTimes(blocks)
}

function entry(head: readonly string[]): Entry {
  return { head: [...head], lines: [], bullets: [] }
}

function isEmpty({ lines, bullets }: Entry): boolean {
  return lines.length === 0 && bullets.length === 0
}

/** Under a company's heading each position may have a smaller one: then each is an entry, and has the company's too. */
function byHeadings(blocks: readonly Block[], top: number): readonly Entry[] {
  const first = blocks.findIndex((block) => block.kind === 'heading')
  const entries: Entry[] = [...byTimes(blocks.slice(0, first))]
  let over: string[] = []
  let isNested = false
  for (const block of blocks.slice(first)) {
    const open = entries.at(-1)
    if (block.kind === 'heading') {
      if (open && block.level > top && isEmpty(open) && !isNested) open.head.push(block.text)
      else entries.push(entry(block.level > top ? [...over, block.text] : [block.text]))
      isNested = block.level > top
      if (!isNested) over = [block.text]
    } else if (block.kind === 'bullet') open?.bullets.push(block.text)
    else if (open && isEmpty(open) && headsUnderHeading(block.text, open)) {
      open.head.push(block.text)
    } else open?.lines.push(block.text)
  }
  return entries
}

/** Under a heading a time, a label or something emphasised still belongs to it. */
function headsUnderHeading(text: string, { head }: Entry): boolean {
  if (text.length > MAX_HEAD_LINE_LENGTH || head.length >= MAX_HEAD_LINES) return false
  const dated = head.some((line) => findDates(stripMarkdown(line)) !== undefined)
  return (!dated && findDates(stripMarkdown(text)) !== undefined) || isEmphasised(text)
}

function isEmphasised(text: string): boolean {
  return /^(\*{1,3}|_{1,2})\S[^*_]*\1$/.test(text)
}

function byTimes(blocks: readonly Block[]): readonly Entry[] {
  const entries: Entry[] = []
  const onlyBullets = blocks.every((block) => block.kind === 'bullet')
  for (const [at, block] of blocks.entries()) {
    const open = entries.at(-1)
    if (block.kind === 'bullet' && (onlyBullets || !open)) entries.push(entry([block.text]))
    else if (block.kind === 'bullet') open?.bullets.push(block.text)
    else if (begins(block.text, open, blocks[at + 1])) entries.push(entry([block.text]))
    else if (open && isEmpty(open) && goesOnHeading(block.text, open)) open.head.push(block.text)
    else open?.lines.push(block.text)
  }
  return entries
}

function begins(text: string, open: Entry | undefined, next: Block | undefined): boolean {
  if (!open) return true
  const dated = isDated(text)
  if (isEmpty(open)) return dated && open.head.some(isDated)
  if (dated || /^(\*\*|__)/.test(text)) return true
  return isShort(text) && next?.kind === 'line' && isDated(next.text)
}

function isDated(text: string): boolean {
  return text.length <= MAX_HEAD_LINE_LENGTH && findDates(stripMarkdown(text))?.range === true
}

function isShort(text: string): boolean {
  return text.length <= 60 && !/[.。;；!！]$/.test(text)
}

function goesOnHeading(text: string, { head }: Entry): boolean {
  // A line that is only a time says neither where nor as what.
  const maxLines = head.some((line) => findDates(stripMarkdown(line))?.rest === '') ? 3 : 2
  return head.length < MAX_HEAD_LINES && (isDated(text) || (isShort(text) && head.length < maxLines))
}
