type Line = { level: number; time: number; msg?: string; err?: { stack?: string } } & Record<string, unknown>

/** Formats log lines for a terminal: time, level, message and fields. */
export function prettyLog(out: { write(text: string): unknown }): { write(line: string): void } {
  return {
    write(text) {
      const { level, time, msg = '', err, ...fields } = JSON.parse(text) as Line
      const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${formatValue(value)}`)
      const stack = err ? `\n${err.stack ?? formatValue(err)}` : ''
      const clock = new Date(time).toTimeString().slice(0, 8)
      const line = `${clock} ${LEVELS.get(level) ?? level} ${msg}${pairs.join('')}${stack}`
      // Untrusted text could contain terminal control characters.
      out.write(`${line.replace(/[^\P{Cc}\n]/gu, ' ')}\n`)
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
