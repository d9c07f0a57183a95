import { loopTurns } from '../async/index.ts'
import type { Json } from '../events/index.ts'

/** An async iterable yields preliminary outputs; the last one is the output. */
export async function readOutputs(
  returned: unknown,
  progress: (update: { output: Json; preliminary: true }) => void,
): Promise<unknown> {
  if (!isAsyncIterable(returned)) return returned
  let last: unknown
  const turn = loopTurns()
  for await (const output of returned) {
    last = output
    progress({ output: output as Json, preliminary: true })
    await turn()
  }
  return last
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
