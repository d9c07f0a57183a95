import { nextTurn, stepByStep } from '../async/index.ts'

/** Characters that are encoded in a step: less than a millisecond. */
const STEP_LENGTH = 262_144

/**
 * The body of a request to a provider. `fetch` makes bytes of a text in one piece, and copies them: a large one is a
 * blob, which is read in pieces. Its length is known, so the request has the same headers.
 */
export async function splitBody<Body>(body: Body): Promise<Body | Blob> {
  if (typeof body !== 'string' || body.length <= STEP_LENGTH) return body
  // It was put together in this turn.
  await nextTurn()
  return new Blob(await stepByStep(encodeInSteps(body)))
}

function* encodeInSteps(text: string): Generator<undefined, Uint8Array<ArrayBuffer>[], undefined> {
  const encoder = new TextEncoder()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < text.length;) {
    let end = at + STEP_LENGTH
    // Two halves of a character stay together.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    pieces.push(encoder.encode(text.slice(at, end)))
    at = end
    yield
  }
  return pieces
}
