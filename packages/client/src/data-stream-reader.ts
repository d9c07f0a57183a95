import type { Line } from 'dragoman/protocols/data-stream/wire'
import type { StreamReader } from './resume-stream.ts'

/** The codes of a run’s last line: finished, stopped or waiting; failed. */
const TERMINAL_CODES: readonly Line[0][] = ['d', '3']

/**
 * Reads data-stream, whose lines have no cursors: each further body repeats the run in the same bytes, and known
 * content is removed. A stream that began in the middle is found by its first lines.
 */
export function dataStreamReader(isFromStart: boolean): StreamReader<string> {
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
      if (fullText === '' && !isFromStart) throw new Error('The answer was cut before its first line.')
      if (replay !== undefined && isWhole(replay))
        throw new Error('The run is told in other words.', { cause: { code: 'cursor-unknown' } })
      replay = ''
      return isWhole(fullText)
    },
  }
}

function isWhole(text: string): boolean {
  const code = text.slice(text.lastIndexOf('\n', text.length - 2) + 1)[0]
  return TERMINAL_CODES.some((last) => last === code)
}
