const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** Begins a block for certain. A list item, a quotation, a table or an indented line may belong to the block before. */
const BLOCK_START = /^[^\s\d>|*+\-[<:]/

/**
 * Splits Markdown into pieces that do not depend on each other. While a text grows, only its last piece is parsed.
 */
export function splitBlocks(text: string): readonly string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    const [, mark] = FENCE.exec(line) ?? []
    if (fence === undefined && isAfterBlank && BLOCK_START.test(line)) {
      blocks.push(lines.join('\n'))
      lines = []
    }
    lines.push(line)
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
    isAfterBlank = line.trim() === ''
  }
  blocks.push(lines.join('\n'))
  return blocks
}
