/** Converts a stream part by part, as its reader pulls. Closing the result closes the source. */
export function mapStream<A, B>(source: ReadableStream<A>, convert: (part: A) => B): ReadableStream<B> {
  const reader = source.getReader()
  return new ReadableStream<B>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(convert(value))
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
