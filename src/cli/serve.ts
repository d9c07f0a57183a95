import { readConfig } from '../config.ts'
import { openDragoman } from '../main.ts'

/** Serves until it is told to end, by a signal. Standard output carries the ready line alone. */
export async function serve(args: readonly string[]): Promise<void> {
  const dragoman = await openDragoman(readConfig(args, process.env))
  try {
    const ended = signalled()
    process.stdout.write(`dragoman ready ${await dragoman.listen()}\n`)
    await ended
  } finally {
    await dragoman.close()
  }
}

/** The first signal asks; a second one does not wait. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
}
