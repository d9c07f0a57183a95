import { stripVTControlCharacters } from 'node:util'

import { hideKeys } from '../errors.ts'

const MAX_LENGTH = 8000
const MAX_LINES = 10
const MAX_LINE_LENGTH = 300
const STACK_FRAME = /^\s+at /

/** The end of what a program writes to its error output. */
export interface ErrorOutput {
  add(text: string): void
  clear(): void
  /** Its last lines as one, without secrets and stack frames. */
  readonly lastLines: string
}

export function createErrorOutput(secrets: readonly string[]): ErrorOutput {
  let end = ''
  return {
    add(text) {
      end = (end + text).slice(-MAX_LENGTH)
    },
    clear() {
      end = ''
    },
    get lastLines() {
      const lines = hideKeys(stripVTControlCharacters(end), secrets)
        .split(/[\r\n]+/)
        .filter((line) => line.trim() !== '' && !STACK_FRAME.test(line))
        .map((line) =>
          line
            .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
            .trim()
            .slice(0, MAX_LINE_LENGTH),
        )
      return lines.slice(-MAX_LINES).join(' | ')
    },
  }
}
