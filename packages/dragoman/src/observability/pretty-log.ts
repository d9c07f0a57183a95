import { visibleText } from '../events/index.ts'

type Line = { level: number; time: number; msg?: string; err?: { stack?: string } } & Record<string, unknown>

/** Formats log lines for a terminal: time, level, message and fields. */
export function prettyLog(out: { write(text: string): unknown }): { write(line: string): void } {
  return {
    write(text) {
      const { level, time, msg = '', err, ...fields } = JSON.parse(text) as Line
      const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${formatValue(value)}`)
      const stack = err ? `\n${cleanLines(err.stack ?? formatValue(err))}` : ''
      const clock = new Date(time).toTimeString().slice(0, 8)
      const line = cleanLine(`${LEVELS.get(level) ?? level} ${msg}${pairs.join('')}`)
      out.write(`${clock} ${line}${stack}\n`)
    },
  }
}

const LEVELS = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info '],
  [40, 'warn '],
  [50, 'error'],
  [60, 'fatal'],
])

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Untrusted text could move the cursor, turn the direction of what follows, or look like a line of the log. */
function cleanLine(text: string): string {
  return visibleText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '))
}

/** The lines of a stack after the first are indented, so that none of a message looks like a line of the log. */
function cleanLines(text: string): string {
  return text
    .split('\n')
    .map((line, index) => cleanLine(index > 0 && !line.startsWith('  ') ? `    ${line}` : line))
    .join('\n')
}
