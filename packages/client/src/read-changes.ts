import { completeTexts } from './complete-texts.ts'
import { dataLines } from './data-lines.ts'
import { notifyOnChange, reconnect, type StreamSource } from './resume-stream.ts'
import { retryDelay } from './retry-delay.ts'

/**
 * What to ask for again, now that it has changed. `changed`: everything that is shown.
 *
 * @example
 * for await (const change of createClient({ url }).changes()) {
 *   console.log(change.type)
 *   if (change.type === 'changed') break
 * }
 */
export type Change =
  | { readonly type: 'changed' | 'questions.changed' }
  | { readonly type: 'thread.changed' | 'thread.deleted'; readonly threadId: string }
  | {
      readonly type: 'run.changed'
      readonly threadId: string
      readonly runId: string
      readonly status: 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
    }

const READER = { type: 'text/event-stream', cursor: () => undefined }

/** The stream has no end. @throws Error if the server refuses it; the signal's reason if that aborts */
export async function* readChanges(source: StreamSource): AsyncGenerator<Change, void, undefined> {
  const { signal } = source
  const isConnected = notifyOnChange(source.onConnection)
  for (let failures = 0; ; failures += 1) {
    const body = await reconnect(READER, source)
    if (typeof body === 'object')
      for await (const text of completeTexts(body, '\n\n', signal)) {
        failures = 0
        isConnected(true)
        yield* dataLines(text).map((line) => JSON.parse(line) as Change)
      }
    else isConnected(false)
    await retryDelay(failures, signal, typeof body === 'number' ? body : 0)
  }
}
