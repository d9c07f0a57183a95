import type { Block } from './outline.ts'
import { plain } from '../../markdown/strip-markdown.ts'

/** `**Name** (level): keyword, keyword`. */
export type Item = {
  readonly name?: string
  readonly level?: string
  readonly keywords?: string[]
  /** What follows the name, uncut. */
  readonly text?: string
}

const BOLD =
  /^(?:\*\*|__)((?:[^*_]|\*(?!\*)|_(?!_))+[*_]?)(?:\*\*|__)\s*(?:[(（](.*?)[)）]\s*)?(?:[:：–—-]\s*(.*))?$/su
/** `**Name:** keyword`. */
const BOLD_LABEL = /^(?:\*\*|__)([^*_]+?)[:：](?:\*\*|__)\s*(.*)$/su
const LABEL =
  /^([^:：]{0,60}?)\s*(?:[(（]([^()（）]{1,40})[)）]\s*)?[:：]\s+(.*)$|^([^:：]{0,60}?)\s*：\s*(.*)$/su
/** What separates things, or a bracket. */
const BETWEEN = /(?:(?<!\s)\s+)?(?:[,，、;；|]|\s\/\s|\s[·•]\s)\s*|[()（）]/gu

/** Cuts a list in a line. */
export function keywordsOf(text: string): string[] {
  return splitList(text)
    .map(plain)
    .filter((keyword) => keyword !== '')
}

/** Not where the next bracket closes: `AWS (EC2, S3)` is one thing. */
function splitList(text: string): string[] {
  const marks = [...text.matchAll(BETWEEN)]
  const parts: string[] = []
  let end = text.length
  let isWithin = false
  for (const { 0: mark, index } of marks.toReversed()) {
    if (/[()（）]/.test(mark)) isWithin = /[)）]/.test(mark)
    else if (!isWithin) {
      parts.unshift(text.slice(index + mark.length, end))
      end = index
    }
  }
  return [text.slice(0, end), ...parts]
}

/** The items of a section that lists things by name: skills, languages, interests. */
export function itemsOf(blocks: readonly Block[]): readonly Item[] {
  const items: Item[] = []
  let under: { name: string; keywords: string[] } | undefined
  for (const block of blocks) {
    if (block.kind === 'heading') {
      under = { name: plain(block.text), keywords: [] }
      items.push(under)
    } else if (under && !isNamed(block.text)) under.keywords.push(...pieces(block.text))
    else items.push(...itemsIn(block.text))
  }
  return items
}

function isNamed(text: string): boolean {
  return BOLD_LABEL.test(text) || BOLD.test(text) || LABEL.test(text)
}

function itemsIn(text: string): readonly Item[] {
  const named = BOLD_LABEL.exec(text)
  if (named) return [item(named[1], undefined, named[2] || undefined)]
  const bold = BOLD.exec(text)
  if (bold) return [item(bold[1], bold[2], bold[3])]
  const label = LABEL.exec(text)
  if (label) return [item(label[1] ?? label[4], label[2], label[3] ?? label[5])]
  return pieces(text).map((piece) => {
    const [, name, level] = /^(.{1,60}?)\s*[(（]([^()（）]{1,40})[)）]$/u.exec(piece) ?? []
    return name === undefined ? { name: piece } : item(name, level, undefined)
  })
}

/** What is a sentence stays one. */
function pieces(text: string): string[] {
  const sentence =
    /[。.!！]\s*$|^(?:精通|熟练|熟悉|掌握|了解|具备|能够?|有)|\b(?:with|and have|experienced?)\b/iu
  const keywords = keywordsOf(text)
  return sentence.test(text) || keywords.some((keyword) => keyword.length > 60) ? [plain(text)] : keywords
}

function item(name: string | undefined, level: string | undefined, keywords: string | undefined): Item {
  const title = plain(name ?? '')
  return {
    ...(title !== '' && { name: title }),
    ...(level !== undefined && level.trim() !== '' && { level: plain(level) }),
    ...(keywords !== undefined && { keywords: keywordsOf(keywords), text: plain(keywords) }),
  }
}
