import { parseJson } from '../events/index.ts'
import { repairMessage, type Repair } from './repair-message.ts'
import { MAX_ANSWER_BYTES, refuseManyValues, TooLargeError } from './server-errors.ts'

/** Repairs the messages of a stream. Returns what may be passed on. */
export interface LineRepair {
  push(chunk: Uint8Array): string
  /** What is left of the last line. */
  end(): string
}

/** A message is a line of its own. */
export function createLineRepair(repair: Repair): LineRepair {
  return splitLines((line) => repairText(line, repair).join('\n'))
}

/** The lines of data of an event are one message. They wait for the line that ends it. */
function createEventRepair(repair: Repair): LineRepair {
  let data: string[] = []
  let length = 0
  const takeEvent = (): string => {
    const messages = repairText(data.join('\n'), repair)
    data = []
    length = 0
    return messages.map((each) => `data: ${each.replaceAll('\n', '\ndata: ')}\n`).join('\n')
  }
  const lines = splitLines((line) => {
    const [, text] = /^data: ?(.*)$/s.exec(line) ?? []
    if (text !== undefined) {
      data.push(text)
      length += text.length
      if (length > MAX_ANSWER_BYTES) throw new TooLargeError()
      return undefined
    }
    return data.length === 0 || line.trim() !== '' ? line : takeEvent() + line
  })
  return {
    push: lines.push,
    end() {
      const rest = lines.end()
      // Half an event is none.
      const text = data.join('\n')
      refuseManyValues(text)
      const event = parseJson(text) === undefined ? '' : takeEvent()
      // Some servers end without the blank line after the last event.
      return event === '' && rest === '' ? '' : `${event}${rest}\n\n`
    },
  }
}

/** What `read` makes of each line. It may keep a line for itself. */
function splitLines(read: (line: string) => string | undefined): LineRepair {
  const decoder = new TextDecoder()
  /** The pieces of a line whose end is missing. */
  let pieces: string[] = []
  let length = 0
  return {
    push(chunk) {
      const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
      pieces.push(first)
      length += first.length
      if (length > MAX_ANSWER_BYTES) throw new TooLargeError()
      const last = others.pop()
      if (last === undefined) return ''
      const lines = [pieces.join(''), ...others]
      pieces = [last]
      length = last.length
      return lines
        .flatMap((line) => read(line) ?? [])
        .map((line) => `${line}\n`)
        .join('')
    },
    end: () => read(pieces.join('')) ?? '',
  }
}

/** The messages of a text, of which a batch has several. What is no message stays as it is. */
function repairText(text: string, repair: Repair): readonly string[] {
  if (!/^\s*[[{]/.test(text)) return [text]
  refuseManyValues(text)
  const message = parseJson(text)
  if (message === undefined) return [text]
  return [repairMessage(message, repair)].flat().map((each) => JSON.stringify(each))
}

/** The client's library reads a batch in a body itself. */
function repairBody(text: string, repair: Repair): string {
  refuseManyValues(text)
  const message = parseJson(text)
  return message === undefined ? text : JSON.stringify(repairMessage(message, repair))
}

/** Repairs the messages in the body of a response. */
export async function repairResponse(response: Response, repair: Repair): Promise<Response> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.body || !response.ok) return response
  if (/^application\/json\b/i.test(type))
    return new Response(repairBody(await response.text(), repair), response)
  if (!/^text\/event-stream\b/i.test(type)) return response
  const lines = createEventRepair(repair)
  const encoder = new TextEncoder()
  const repairing = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => controller.enqueue(encoder.encode(lines.push(chunk))),
    flush: (controller) => controller.enqueue(encoder.encode(lines.end())),
  })
  return new Response(response.body.pipeThrough(repairing), response)
}
