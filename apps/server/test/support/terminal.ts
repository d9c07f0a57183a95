import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

import { SQLITE_BIN } from '../../../../test/support/process.ts'

const WAIT_MS = 20_000

/** Tests of a terminal need the program `script` of Linux. */
export const hasTerminal: boolean = process.platform === 'linux'

/** The command line in a terminal of its own, as a person uses it. */
export function openTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, '--no-warnings', SQLITE_BIN, ...args]
    .map((word) => `'${word}'`)
    .join(' ')
  const child = spawn('script', ['-qefc', `stty cols 100 rows 40; exec ${command}`, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  let position = 0
  let onOutput = (): void => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    onOutput()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const text = (): string => stripVTControlCharacters(screen)

  /** Waits for words after those of the last time. */
  const waitFor = async (words: string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(
      () => reject(new Error(`No "${words}" came: ${text().slice(position)}`)),
      WAIT_MS,
    )
    onOutput = () => {
      const at = text().indexOf(words, position)
      if (at < 0) return
      position = at + words.length
      resolve()
    }
    onOutput()
    return promise.finally(() => {
      clearTimeout(timer)
      onOutput = () => undefined
    })
  }
  return {
    waitFor,
    type: (keys: string): void => void child.stdin.write(keys),
    /** Everything that has been printed. */
    text,
    /** The exit code. */
    ended,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Ctrl+C and Ctrl+D. */
export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'
