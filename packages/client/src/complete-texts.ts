/** Two and a half heartbeats: a live server sends something every 15 s, even while its run waits. */
const SILENCE_TIMEOUT_MS = 37_500

/**
 * The body of a response.
 *
 * @example
 * const body: Body | null = new Response('data: 1\n\n').body
 */
export type Body = NonNullable<Response['body']>

/**
 * Reads a body as text, in pieces that each end at a `boundary`. An incomplete rest is left out. The iteration
 * ends when the connection is lost, is silent for 37.5 s, or the signal aborts. It never throws.
 *
 * @example
 * const { body } = await fetch(`${url}/v1/runs/${runId}/events`)
 * if (body) for await (const text of completeTexts(body, '\n\n', signal)) console.log(text)
 */
export async function* completeTexts(
  body: Body,
  boundary: string,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  // Errors after the reader has been cancelled do not matter.
  const hangUp = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', hangUp)
  if (signal.aborted) hangUp()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      // The timer runs only while reading: a slow consumer has not lost the connection.
      const silence = setTimeout(hangUp, SILENCE_TIMEOUT_MS)
      // A failed and an ended body are treated alike: the content shows whether it is complete.
      const { value } = await reader.read().catch(() => ({ value: undefined }))
      clearTimeout(silence)
      if (!value) return
      text += decoder.decode(value, { stream: true })
      const end = text.lastIndexOf(boundary) + boundary.length
      if (end < boundary.length) continue
      yield text.slice(0, end)
      text = text.slice(end)
    }
  } finally {
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}
