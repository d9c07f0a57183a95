/** Characters of one block. A parser reads some blocks in time that grows with the square of their length. */
const MAX_CHARACTERS = 20_000
/** Levels of lists and quotations on one line. Each is a few calls deep: a thousand overflow the stack. */
const MAX_LEVELS = 30
const MAX_COLUMNS = 100
/** Marks that may begin or end something: the parser compares them with each other. */
const MAX_MARKS = 1000

/** Whether a block of Markdown would hold the page up, or overflow it. It is shown as plain text. */
export function isHeavyBlock(block: string): boolean {
  if (block.length > MAX_CHARACTERS) return true
  let marks = 0
  for (const line of block.split('\n')) {
    if (levelsOf(line) > MAX_LEVELS || countOf(line, '|') > MAX_COLUMNS) return true
    marks +=
      countOf(line, '*') + countOf(line, '_') + countOf(line, '[') + countOf(line, '`') + countOf(line, '<')
  }
  return marks > MAX_MARKS
}

/** The signs of lists and quotations at the start of a line, and half its indentation. */
function levelsOf(line: string): number {
  const [start = ''] = /^(?:[ \t>*+-]|\d{1,9}[.)])*/.exec(line) ?? []
  const signs = start.replaceAll(/[ \t]/g, '').length
  return signs + (start.length - signs) / 2
}

function countOf(line: string, sign: string): number {
  let count = 0
  for (let at = line.indexOf(sign); at >= 0; at = line.indexOf(sign, at + 1)) count += 1
  return count
}
