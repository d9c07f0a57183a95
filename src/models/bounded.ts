import { ServiceError } from '../errors.ts'

/** What all answers to one request may have together, in bytes: a hundred thousand tokens and more, as wordy as providers write them. */
const MOST_BYTES = 32 * 1024 * 1024
/** Of an answer that is a failure only its status and beginning are looked at. */
const FAILURE_BYTES = 64 * 1024

/** For providers that nobody here knows: whatever is answered would be held in memory, and be written to the log. */
export function bounded(send: typeof fetch): typeof fetch {
  let left = MOST_BYTES
  return async (url, options) => {
    const answer = await send(url, options)
    if (!answer.body) return answer
    const body = answer.ok
      ? answer.body.pipeThrough(
          through((chunk) => {
            left -= chunk.length
            if (left >= 0) return chunk
            throw new ServiceError('model-refused', 'The model provider answered more than can be taken in.')
          }),
        )
      : answer.body.pipeThrough(beginning(FAILURE_BYTES))
    return new Response(body, answer)
  }
}

function through(pass: (chunk: Uint8Array) => Uint8Array): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform: (chunk, controller) => controller.enqueue(pass(chunk)),
  })
}

/** The rest is not waited for. */
function beginning(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) controller.terminate()
    },
  })
}
