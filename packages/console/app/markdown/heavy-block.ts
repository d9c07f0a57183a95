/** Characters of lines without a blank line between. Some take a time that grows with the square of their length. */
const MAX_CHARACTERS = 20_000
/** Code is read in one pass, again with each piece that is added to it. */
const MAX_CODE_CHARACTERS = 100_000
/** Levels of lists and quotations on one line. Each is a few calls deep: a thousand overflow the stack. */
const MAX_LEVELS = 30
const MAX_COLUMNS = 100
/** Marks that may begin or end something: the parser compares them with each other. */
const MAX_MARKS = 1000
const MARKS = ['*', '_', '[', '`', '<', '$', '\\(', '\\['] as const
/** A picture within the text, which is read in one pass. */
const DATA_URL = 'data:image/'
const MAX_DATA_CHARACTERS = 3_000_000

/** Whether a block of Markdown would hold the page up, or overflow it. It is shown as plain text. */
export function isHeavyBlock(block: string): boolean {
  const text = withoutPictures(block)
  if (text.length > MAX_CHARACTERS || block.length > MAX_DATA_CHARACTERS) return true
  let marks = 0
  for (const line of text.split('\n')) {
    if (levelsOf(line) > MAX_LEVELS || countOf(line, '|') > MAX_COLUMNS) return true
    for (const mark of MARKS) marks += countOf(line, mark)
  }
  return marks > MAX_MARKS
}

/** Whether a code block, with its fences, is too long to be read again and again. */
export function isHeavyCode(block: string): boolean {
  return block.length > MAX_CODE_CHARACTERS
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

function withoutPictures(text: string): string {
  if (!text.includes(DATA_URL)) return text
  const [first = '', ...others] = text.split(DATA_URL)
  return [first, ...others.map((part) => part.replace(/^[\w+;.-]*,[\w+/=-]*/, ''))].join('')
}
