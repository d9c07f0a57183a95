import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { loopTurns } from '../async/index.ts'

type Part = LanguageModelV4StreamPart

/** A model call, and the receiver of its parts. */
type StreamConsumer = {
  /** Calls the model. `signal` aborts when the stream is no longer read. */
  readonly open: (signal: AbortSignal) => PromiseLike<ReadableStream<Part>>
  /** Takes a part; the next one comes when it is done. */
  readonly onPart: (part: Part) => void | Promise<void>
  readonly signal: AbortSignal
  /** Converts an error of the model to a ServiceError. */
  readonly failure: (error: unknown) => Error
}

/**
 * Reads a model's stream until it ends or `signal` aborts. After an abort it returns at once, even if the model
 * ignores its own signal.
 * @throws the result of `failure` for an error of the model, and what `onPart` throws
 */
export async function readUntilAborted({ open, onPart, signal, failure }: StreamConsumer): Promise<void> {
  const request = new AbortController()
  const aborted = Promise.withResolvers<undefined>()
  let reader: ReadableStreamDefaultReader<Part> | undefined
  const abort = (): void => {
    request.abort(signal.reason)
    aborted.resolve(undefined)
    if (reader) cancelStream(reader)
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    const opening = Promise.resolve(open(request.signal))
    const stream = await Promise.race([opening, aborted.promise]).catch((error: unknown) => {
      throw failure(error)
    })
    if (!stream) {
      opening.then(cancelStream, () => undefined)
      return
    }
    reader = stream.getReader()
    await readAll(reader, onPart, failure)
  } catch (error) {
    // The error of an aborted request carries no information.
    if (signal.aborted) return
    request.abort(error)
    if (reader) cancelStream(reader)
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Part>,
  onPart: StreamConsumer['onPart'],
  failure: StreamConsumer['failure'],
): Promise<void> {
  const turn = loopTurns()
  for (;;) {
    let next
    try {
      next = await reader.read()
    } catch (error) {
      throw failure(error)
    }
    if (next.done) return
    const pending = onPart(next.value) ?? turn()
    if (pending) await pending
  }
}

/** Ends a pending read. Errors while the model's side closes are ignored. */
function cancelStream(stream: Pick<ReadableStream, 'cancel'>): void {
  stream.cancel().catch(() => undefined)
}
