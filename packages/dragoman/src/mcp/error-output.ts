import { stripVTControlCharacters } from 'node:util'

import { hideKeys } from '../errors.ts'

const MAX_LENGTH = 8000
const MAX_LINES = 10
const MAX_LINE_LENGTH = 300
const STACK_FRAME = /^\s+at /

/** How a program has ended, and the end of what it has written to its error output. */
export interface ErrorOutput {
  add(text: string): void
  end(code: number | null, signal: string | null): void
  clear(): void
  /** Sentences for the owner: the last lines as one, without secrets and stack frames, and the exit code. */
  readonly lastWords: string
}

export function createErrorOutput(secrets: readonly string[]): ErrorOutput {
  let text = ''
  let ending = ''
  return {
    add(more) {
      text = (text + more).slice(-MAX_LENGTH)
    },
    end(code, signal) {
      ending = signal === null ? `It has ended with the exit code ${code}.` : `It was ended by ${signal}.`
    },
    clear() {
      text = ''
      ending = ''
    },
    get lastWords() {
      const lines = hideKeys(stripVTControlCharacters(text), secrets)
        .split(/[\r\n]+/)
        .filter((line) => line.trim() !== '' && !STACK_FRAME.test(line))
        .map((line) =>
          line
            .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
            .trim()
            .slice(0, MAX_LINE_LENGTH),
        )
      const words = lines.length === 0 ? '' : `Its error output: ${lines.slice(-MAX_LINES).join(' | ')}.`
      return [words, ending].filter((each) => each !== '').join(' ')
    },
  }
}
