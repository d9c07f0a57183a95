const SEPARATOR = '\n\n'
const DATA = 'data: '

/** The data of the server-sent events of a body. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split(SEPARATOR)
    rest = events.pop() ?? ''
    for (const event of events) {
      const line = event.split('\n').find((each) => each.startsWith(DATA))
      if (line !== undefined) yield line.slice(DATA.length)
    }
  }
}
