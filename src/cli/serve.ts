import { readConfig } from '../config.ts'
import { isServiceError } from '../errors.ts'
import { openDragoman, type Dragoman } from '../main.ts'
import { processLog } from '../telemetry/index.ts'

/** Serves until it is told to end, by a signal. Standard output carries the ready line alone. */
export async function serve(args: readonly string[]): Promise<void> {
  let logLevel = 'info'
  let dragoman: Dragoman | undefined
  try {
    const config = readConfig(args, process.env)
    logLevel = config.logLevel
    dragoman = await openDragoman(config)
    const ended = signalled()
    process.stdout.write(`dragoman ready ${await dragoman.listen()}\n`)
    await ended
  } catch (error) {
    // Those who collect the log's lines must find a refused start among them; at a terminal the sentence does.
    if (isServiceError(error) && !process.stderr.isTTY) processLog(logLevel).refused(error)
    throw error
  } finally {
    await dragoman?.close()
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
