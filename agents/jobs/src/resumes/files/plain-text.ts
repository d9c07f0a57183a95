import { blocksOf } from '../markdown/outline.ts'
import { stripMarkdown } from '../../markdown/strip-markdown.ts'
import { sectionOf } from '../markdown/sections.ts'

/** A sign that begins a point, also those that only a symbol font knows. */
export const POINT = /^(?:[•●◦∙▪■◆◇○➢➤✓✔‣⁃\uF0B7\uF0A7\uF0D8\uF06C\uF0FC]\s*|[-–*·]\s+)(?=\S)/u

/** Where nothing so far is a heading of Markdown, nothing will be. */
const LOOKED_AT = 20_000

/** Plain text as Markdown: its sections get headings and its points are points; every other line stands alone. */
export function textMarkdown(text: string): string {
  if (blocksOf(text).some((block) => block.kind === 'heading' && sectionOf(stripMarkdown(block.text))))
    return text
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd())
  return spaced(lines.map((line) => markedLine(line)).filter((line) => line !== ''))
}

/** The same for Markdown that a word processor's file has become, in which the names of sections may only be bold. */
export function withHeadings(markdown: string): string {
  if (hasSections(markdown)) return markdown
  return markdown
    .split('\n')
    .map((line) =>
      sectionOf(stripMarkdown(line)) && !/^\s*([-*+]\s|#)/.test(line) ? `## ${stripMarkdown(line)}` : line,
    )
    .join('\n')
}

function hasSections(text: string): boolean {
  const blocks = blocksOf(text.slice(0, LOOKED_AT))
  return blocks.some((block) => block.kind === 'heading' && sectionOf(stripMarkdown(block.text)))
}

function markedLine(line: string): string {
  const bare = line.trim()
  if (POINT.test(bare)) return `- ${bare.replace(POINT, '')}`
  return sectionOf(bare) ? `## ${heading(bare)}` : bare
}

/** A section's name without what frames it. */
export function heading(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N})）])[^\p{L}\p{N})）]+$/gu, '') || text
}

/** Lines of Markdown: points under each other, all else apart. */
export function spaced(lines: readonly string[]): string {
  return lines
    .map((line, at) => {
      const before = lines[at - 1]
      if (before === undefined) return line
      return `${line.startsWith('- ') && before.startsWith('- ') ? '\n' : '\n\n'}${line}`
    })
    .join('')
}
