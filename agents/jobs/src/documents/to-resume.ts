import { type Block, type Resume } from './blocks.ts'
import { cut, linesOf, plain, type RichText } from '../markdown/rich-text.ts'

const MAX_NAME_LENGTH = 60
const MAX_CONTACT_LINES = 6
const MAX_CONTACT_LINE_LENGTH = 160

/** Whether a text has a phone number, an address or several fields. */
export function isContact(words: string): boolean {
  return /@|https?:\/\/|(?:\d[\s()+.-]{0,9}){7}|\S\s*[|｜·•]\s*\S|电话|手机|邮箱|微信/u.test(words)
}

/**
 * Finds whose resume it is, and how to reach them. The headings of its sections are of the second level, whatever
 * they were.
 */
export function toResume(blocks: readonly Block[]): Resume {
  const { name, contact, rest } = named(blocks) ?? { contact: [], rest: blocks }
  return { ...(name && { name }), contact, blocks: levelled(rest) }
}

type Head = {
  readonly name?: RichText
  readonly contact: readonly RichText[]
  readonly rest: readonly Block[]
}

function named(blocks: readonly Block[]): Head | undefined {
  const [first, second] = blocks
  if (first?.kind === 'heading') {
    const others = blocks.slice(1).filter((block) => block.kind === 'heading')
    // Where the sections are of the same level, it may be the first of them.
    const alone = others.every(({ level }) => level > first.level)
    if (!alone && !(second?.kind === 'paragraph' && isContact(plain(second.text)))) return undefined
    if (plain(first.text).length > MAX_NAME_LENGTH) return undefined
    return { name: unmarked(first.text), ...contactOf(blocks.slice(1)) }
  }
  if (first?.kind !== 'paragraph' || !isContact(plain(first.text))) return undefined
  const [line = [], ...lines] = linesOf(first.text)
  if (isContact(plain(line)) || plain(line).length > MAX_NAME_LENGTH || lines.length === 0) return undefined
  const text = cut(first.text, plain(line).length + 1, Number.POSITIVE_INFINITY)
  return { name: unmarked(line), ...contactOf([{ ...first, text }, ...blocks.slice(1)]) }
}

/** The paragraphs that follow the name, as long as they are short and are no prose. */
function contactOf(blocks: readonly Block[]): {
  readonly contact: readonly RichText[]
  readonly rest: readonly Block[]
} {
  const contact: RichText[] = []
  let count = 0
  for (const block of blocks) {
    if (block.kind !== 'paragraph') break
    const lines = linesOf(block.text)
    const fits = lines.every((line) => plain(line).length <= MAX_CONTACT_LINE_LENGTH)
    const prose =
      !isContact(plain(block.text)) &&
      (/[.。!！;；]\s*$/u.test(plain(block.text)) || plain(block.text).length > MAX_NAME_LENGTH)
    if (!fits || prose || contact.length + lines.length > MAX_CONTACT_LINES) break
    contact.push(...lines)
    count += 1
  }
  // A line below the head is what the template draws.
  if (blocks[count]?.kind === 'rule') count += 1
  return { contact, rest: blocks.slice(count) }
}

/** A name needs no stars: the template makes it large. */
function unmarked(name: RichText): RichText {
  return name.map((span) => ({ ...span, bold: false, italic: false }))
}

function levelled(blocks: readonly Block[]): readonly Block[] {
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []))
  const higher = Math.min(...levels) - 2
  return blocks.map((block) => (block.kind === 'heading' ? { ...block, level: block.level - higher } : block))
}
