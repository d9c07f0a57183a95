/** One server-sent event. */
export type ServerEvent = { readonly name: string | undefined; readonly data: string }

const FIELD = /^(data|event)(?::[ ]?([^]*))?$/
const OTHER_FIELD = /^(?::|(?:id|retry)(?::|$))/

/** Splits a text that arrives in pieces into its events. Lines end with LF, CR or both. */
export function createEventParser() {
  let partialLine = ''
  let endedWithCr = false
  let name: string | undefined
  let data: string[] = []
  let hasEvents = false
  let otherLines: string[] = []

  const takeEvent = (): ServerEvent[] => {
    const event = { name, data: data.join('\n') }
    const isEmpty = data.length === 0
    hasEvents ||= !isEmpty
    if (!isEmpty) otherLines = []
    name = undefined
    data = []
    return isEmpty ? [] : [event]
  }
  const takeLine = (line: string): ServerEvent[] => {
    if (line === '') return takeEvent()
    const [, field, value = ''] = FIELD.exec(line) ?? []
    if (field === 'data') data.push(value)
    else if (field === 'event') name = value
    else if (!OTHER_FIELD.test(line)) otherLines.push(line)
    return []
  }
  return {
    take(piece: string): ServerEvent[] {
      const rest = endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece
      if (piece !== '') endedWithCr = piece.endsWith('\r')
      const [first = '', ...lines] = rest.split(/\r\n|\n|\r/)
      partialLine += first
      const last = lines.pop()
      if (last === undefined) return []
      const complete = [partialLine, ...lines]
      partialLine = last
      return complete.flatMap(takeLine)
    },
    /** A body that holds no events, once it has ended. */
    get body(): string {
      return hasEvents ? '' : otherLines.join('\n')
    },
    /** What is no event, after the last one. */
    get rest(): string {
      return hasEvents ? otherLines.join('\n') : ''
    },
    /** What has begun and is not ended by a blank line. */
    end(): ServerEvent | undefined {
      takeLine(partialLine || ':')
      return takeEvent()[0]
    },
  }
}
