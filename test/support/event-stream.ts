/** A server-sent event: where it ends in its stream, its cursor, and what it says. */
export type StreamEvent = { readonly end: number; readonly id: string | undefined; readonly data: string }

/** The complete events of a stream's bytes. Comments and what was cut off are passed over. */
export function eventsOf(bytes: Buffer): StreamEvent[] {
  const events: StreamEvent[] = []
  let start = 0
  for (let end = bytes.indexOf('\n\n'); end >= 0; end = bytes.indexOf('\n\n', start)) {
    const lines = bytes.toString('utf8', start, end).split('\n')
    const field = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    const data = field('data')
    start = end + 2
    if (data !== undefined) events.push({ end: start, id: field('id'), data })
  }
  return events
}

/** The JSON of a stream's events, without the last word of those that have one. */
export function framesOf(bytes: Buffer): Record<string, unknown>[] {
  return eventsOf(bytes)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as Record<string, unknown>)
}

const BEATS = [': ping\n\n', 'data: {"type":"ping"}\n\n']

/** What a stream says, without the beats in its silences: how many there are is a matter of time. */
export function withoutBeats(bytes: Buffer): Buffer {
  if (!BEATS.some((beat) => bytes.includes(beat))) return bytes
  return Buffer.from(
    BEATS.reduce((text, beat) => text.replaceAll(beat, ''), bytes.toString('latin1')),
    'latin1',
  )
}

/** The same of a whole response. */
export async function textOf(response: Response): Promise<string> {
  return withoutBeats(Buffer.from(await response.arrayBuffer())).toString()
}

/** A body that is read as it comes, but for its beats. */
export type Reading = {
  /** Reads on until the words have come, and gives all bytes so far. */
  until(words: string): Promise<Buffer>
  /** Reads on, and gives all bytes so far. */
  more(): Promise<Buffer>
  /** Reads to the end, and gives all bytes. */
  whole(): Promise<Buffer>
  /** The bytes that have been read. */
  soFar(): Buffer
  /** Goes away. */
  leave(): Promise<void>
}

export function reading(response: Response): Reading {
  // 204: nothing more, and no body to say it with.
  const body = response.status === 204 ? ReadableStream.from<Uint8Array>([]) : response.body
  if (!body) throw new Error(`The answer (${response.status}) has no body.`)
  const reader = body.getReader()
  let bytes: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (value) bytes = withoutBeats(Buffer.concat([bytes, value]))
    return !done
  }
  return {
    async until(words) {
      while (!bytes.includes(words)) {
        if (!(await more())) throw new Error(`The stream has ended without "${words}":\n${bytes.toString()}`)
      }
      return bytes
    },
    async more() {
      if (!(await more())) throw new Error(`The stream has ended:\n${bytes.toString()}`)
      return bytes
    },
    async whole() {
      while (await more());
      return bytes
    },
    soFar: () => bytes,
    leave: () => reader.cancel(),
  }
}
