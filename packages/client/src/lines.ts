import type { Line } from 'dragoman/protocols/data-stream/wire'
import type { Reading } from './unbroken.ts'

/** The codes of a run’s last line: it has finished, was stopped or waits; it has failed. */
const LAST: readonly Line[0][] = ['d', '3']

/**
 * Reads data-stream, whose lines have no cursors: a body that comes after another tells all of the run again, in the very same bytes, and
 * what is known of it is left out. One that began in the middle is found again by its first lines.
 */
export function lines(isFromStart: boolean): Reading<string> {
  let known = ''
  /** What a further body has told, until that is more than is known. */
  let again: string | undefined

  const unknown = (text: string): string => {
    if (again === undefined) return text
    again += text
    const at = `\n${again}`.indexOf(`\n${known}`)
    if (at < 0) return ''
    const rest = again.slice(at + known.length)
    again = undefined
    return rest
  }
  return {
    dialect: 'data-stream',
    boundary: '\n',
    type: 'text/plain',
    cursor: () => undefined,
    take(text) {
      // Empty lines are heartbeats, and never come again.
      const news = unknown(text.replace(/\n+/g, '\n').replace(/^\n/, ''))
      known += news
      return news === '' ? [] : [news]
    },
    over() {
      // Better no answer than what the client has already been told, a second time.
      if (known === '' && !isFromStart) throw new Error('The answer was cut before its first line.')
      if (again !== undefined && isWhole(again))
        throw new Error('The run was told in other words than before.')
      again = ''
      return isWhole(known)
    },
  }
}

function isWhole(text: string): boolean {
  const code = text.slice(text.lastIndexOf('\n', text.length - 2) + 1)[0]
  return LAST.some((last) => last === code)
}
