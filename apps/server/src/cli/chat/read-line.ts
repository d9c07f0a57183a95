import { createInterface } from 'node:readline'

/**
 * Reads a message from the terminal. Lines that are pasted at once are one message. `history` grows. Undefined if the
 * user leaves: Ctrl+D, or Ctrl+C twice.
 */
export async function readLine(prompt: string, history: string[]): Promise<string | undefined> {
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt,
    history: [...history],
  })
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const pasted: string[] = []
  let isLeaving = false
  lines.on('history', (all) => history.splice(0, history.length, ...all))
  lines.on('line', (line) => {
    pasted.push(line)
    setImmediate(() => resolve(pasted.join('\n')))
  })
  lines.on('SIGINT', () => {
    if (lines.line === '' && isLeaving) return lines.close()
    isLeaving = lines.line === ''
    // Deletes the line.
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    if (isLeaving) process.stdout.write('\nCtrl+C again, or Ctrl+D, leaves.\n')
    lines.prompt()
  })
  lines.on('close', () => resolve(undefined))
  lines.prompt()
  try {
    return await promise
  } finally {
    lines.close()
  }
}
