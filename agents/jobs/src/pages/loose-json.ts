import { parseJson, type Json } from 'dragoman/events'

/** Reads JSON as pages hold it: in comments, escaped as HTML, with line breaks in its strings or a comma too many. */
export function parseLooseJson(text: string): Json | undefined {
  const bare = unwrapped(text)
  const asWritten = parseJson(bare) ?? parseJson(repaired(bare))
  return asWritten ?? (bare.includes('&quot;') ? parseJson(repaired(fromHtml(bare))) : undefined)
}

const BEFORE = ['\uFEFF', '<!--', '//', '/*', '*/', '<![CDATA[']
const AFTER = ['-->', '//', '/*', '*/', ']]>', ';']

/** Without what some sites put round a script's text. */
function unwrapped(text: string): string {
  let bare = text.trim()
  for (let mark = first(bare); mark; mark = first(bare)) bare = bare.slice(mark.length).trimStart()
  for (let mark = last(bare); mark; mark = last(bare)) bare = bare.slice(0, -mark.length).trimEnd()
  return bare
}

function first(text: string): string | undefined {
  return BEFORE.find((mark) => text.startsWith(mark))
}

function last(text: string): string | undefined {
  return AFTER.find((mark) => text.endsWith(mark))
}

function fromHtml(text: string): string {
  return text
    .replaceAll(/&quot;/g, '"')
    .replaceAll(/&#39;/g, "'")
    .replaceAll(/&lt;/g, '<')
    .replaceAll(/&gt;/g, '>')
    .replaceAll(/&amp;/g, '&')
}

/** Escapes what may not stand in a string as it is, and drops a comma that no value follows. */
function repaired(text: string): string {
  const pieces: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (inString && character === '\\') {
      at += 1
      pieces.push(escapePair(text.charAt(at)))
      continue
    }
    if (character === '"') inString = !inString
    pieces.push(inString ? inside(character) : outside(character, text, at))
  }
  return pieces.join('')
}

function escapePair(second: string): string {
  return '"\\/bfnrtu'.includes(second) ? `\\${second}` : `\\\\${inside(second)}`
}

function inside(character: string): string {
  return character < ' ' ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character
}

const BLANK = /\s/

function outside(character: string, text: string, at: number): string {
  if (character !== ',') return character
  let next = at + 1
  while (BLANK.test(text.charAt(next))) next += 1
  return ['}', ']', ''].includes(text.charAt(next)) ? '' : character
}
