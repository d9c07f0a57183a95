import type { Line } from 'dragoman/protocols/data-stream/wire'
import type { AnswerFormat } from './resume-stream.ts'

/** The codes of a run’s last line: finished, stopped or waiting; failed. */
const TERMINAL_CODES: readonly Line[0][] = ['d', '3']

/**
 * Reads data-stream, whose lines have no cursors: each further body repeats the run in the same bytes, and known
 * content is removed. A stream that began in the middle is found by its first lines.
 */
export const dataStreamReader: AnswerFormat = (headers) => {
  // Pages of other origins cannot read the header that names it.
  if (!headers.get('content-type')?.startsWith('text/plain')) return undefined
  let fullText = ''
  /** The content of a further body, until it exceeds what is known. */
  let replay: string | undefined

  const withoutKnown = (text: string): string => {
    if (replay === undefined) return text
    replay += text
    const at = `\n${replay}`.indexOf(`\n${fullText}`)
    if (at < 0) return ''
    const rest = replay.slice(at + fullText.length)
    replay = undefined
    return rest
  }
  return {
    protocol: 'data-stream',
    boundary: '\n',
    type: 'text/plain',
    cursor: () => undefined,
    take(text) {
      // Empty lines are heartbeats and are not repeated.
      const news = withoutKnown(text.replace(/\n+/g, '\n').replace(/^\n/, ''))
      fullText += news
      return news === '' ? [] : [news]
    },
    isEnded() {
      // Failing is better than sending the client the same content twice.
      if (fullText === '' && headers.has('x-after')) throw new Error('Cut before its first line.')
      if (replay !== undefined && isWhole(replay))
        throw new Error('The run has another log.', { cause: { code: 'cursor-unknown' } })
      replay = ''
      return isWhole(fullText)
    },
  }
}

function isWhole(text: string): boolean {
  const code = text.slice(text.lastIndexOf('\n', text.length - 2) + 1)[0]
  return TERMINAL_CODES.some((last) => last === code)
}
