import { stripVTControlCharacters, styleText } from 'node:util'

import { cutToWidth } from '../print-table.ts'
import { printable, printableLine } from '../printable.ts'

/** Where the terminal does not say. */
const DEFAULT_COLUMNS = 80
const CLEAR_LINE = '\r\u001B[K'

type Output = Pick<NodeJS.WriteStream, 'write'> & { readonly columns?: number; readonly isTTY?: boolean }

type ScreenOptions = {
  /** Gets the answer alone. */
  readonly answer: Output
  /** Gets everything else. */
  readonly notices: Output
  /** Whether a line may be replaced: a person looks at both outputs in one terminal, and nothing else writes there. */
  readonly hasStatus: boolean
}

/** Where an answer and what happens around it are written. Texts of others are made safe here. */
export interface Screen {
  /** Adds to the text of the answer. */
  answer(text: string): void
  /** Adds to a text that is no part of the answer. */
  aside(text: string): void
  /** Ends a text that is being written. */
  endText(): void
  /** Writes a line, which may have styles of ours: its parts must be safe. */
  line(text: string): void
  /** Shows what happens now, until something else is written. */
  status(text: string): void
}

export function createScreen({ answer, notices, hasStatus }: ScreenOptions): Screen {
  const isOneTerminal = answer === notices || (answer.isTTY === true && notices.isTTY === true)
  // Styles depend on standard output, but notices may go elsewhere.
  const hasColors = notices.isTTY === true || process.env['FORCE_COLOR'] !== undefined
  let open: Output | undefined
  let isStatusShown = false

  const clearStatus = (): void => {
    if (isStatusShown) notices.write(CLEAR_LINE)
    isStatusShown = false
  }
  const endText = (): void => {
    open?.write('\n')
    open = undefined
  }
  const add = (output: Output, text: string, style: (safe: string) => string): void => {
    if (text === '') return
    clearStatus()
    if (open !== output) endText()
    output.write(style(printable(text)))
    open = output
  }
  return {
    answer: (text) => add(answer, text, (safe) => safe),
    aside: (text) => add(notices, text, (safe) => (hasColors ? styleText('dim', safe) : safe)),
    endText,
    line(text) {
      clearStatus()
      if (open === notices || isOneTerminal) endText()
      notices.write(`${hasColors ? text : stripVTControlCharacters(text)}\n`)
    },
    status(text) {
      if (!hasStatus || open) return
      clearStatus()
      const line = cutToWidth(printableLine(text), (notices.columns || DEFAULT_COLUMNS) - 1)
      notices.write(styleText('dim', line))
      isStatusShown = true
    },
  }
}
