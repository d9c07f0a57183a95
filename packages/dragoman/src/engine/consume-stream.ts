import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

/** A model call, and the receiver of its parts. */
type StreamConsumer = {
  /** Asks the model. `signal` aborts once nobody listens any more. */
  readonly open: (signal: AbortSignal) => PromiseLike<ReadableStream<Part>>
  /** Takes a part; the next one comes when it is done. */
  readonly onPart: (part: Part) => void | Promise<void>
  readonly signal: AbortSignal
  /** Turns an error of the model's into one of ours. */
  readonly failure: (error: unknown) => Error
}

/**
 * Listens to a model until its stream ends or `signal` aborts: then it returns at once, also where the model does not heed its own signal.
 * @throws what `failure` made of an error of the model's, and whatever `take` throws
 */
export async function consumeStream({ open, onPart, signal, failure }: StreamConsumer): Promise<void> {
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
    // What an aborted request throws is no news.
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
  for (;;) {
    let next
    try {
      next = await reader.read()
    } catch (error) {
      throw failure(error)
    }
    if (next.done) return
    const pending = onPart(next.value)
    if (pending) await pending
  }
}

/** A read that waits is over then. Whether the model's side closes well is nobody's concern any more. */
function cancelStream(stream: Pick<ReadableStream, 'cancel'>): void {
  stream.cancel().catch(() => undefined)
}
