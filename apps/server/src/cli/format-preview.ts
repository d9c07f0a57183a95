import { styleText } from 'node:util'

import { visibleText } from '@dragoman/client/visible-text'
import type { Preview } from 'dragoman/events'

const COLORS: Readonly<Record<string, 'green' | 'red' | 'dim'>> = { '+': 'green', '-': 'red', '@': 'dim' }

/** What a call would do, for the terminal of the person who is asked. Nothing in it is hidden. */
export function formatPreview({ title, format, text, isCut, problem }: Preview): string {
  const lines = text === '' ? [] : visibleText(text.replace(/\n$/, '')).split('\n')
  const isSame = text === '' && !isCut && problem === undefined
  return [
    ...(title === undefined ? [] : [styleText('bold', visibleText(title))]),
    ...lines.map((line) => (format === 'diff' ? colored(line) : line)),
    ...(isCut ? ['The change is longer than what is shown here.'] : []),
    ...(problem === undefined ? [] : [`What would change cannot be shown. ${visibleText(problem)}`]),
    ...(isSame ? ['Nothing would change.'] : []),
  ].join('\n')
}

function colored(line: string): string {
  const color = COLORS[line.charAt(0)]
  return color === undefined ? line : styleText(color, line)
}
