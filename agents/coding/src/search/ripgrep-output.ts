import { MAX_LINE_LENGTH, type Hit } from './searcher.ts'

/** Of one field more is not kept, in bytes: a path, its line's number and the beginning of the line are shorter. */
const MAX_FIELD_BYTES = 16 * 1024

type Field = {
  readonly text: string
  /** Its end was not kept. */
  readonly cut: boolean
}

/** What stands between such bytes. However long it is, little is held of it. */
export async function* readFields(chunks: AsyncIterable<Buffer>, separator: number): AsyncGenerator<Field> {
  let pieces: Buffer[] = []
  let length = 0
  const keep = (bytes: Buffer): void => {
    if (length < MAX_FIELD_BYTES) pieces.push(Buffer.from(bytes.subarray(0, MAX_FIELD_BYTES - length)))
    length += bytes.length
  }
  const field = (): Field => {
    const value = { text: Buffer.concat(pieces).toString('utf8'), cut: length > MAX_FIELD_BYTES }
    pieces = []
    length = 0
    return value
  }
  for await (const chunk of chunks) {
    let at = 0
    for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, at)) {
      keep(chunk.subarray(at, end))
      yield field()
      at = end + 1
    }
    keep(chunk.subarray(at))
  }
  if (length > 0) yield field()
}

const NEWLINE = 0x0a
/** What ripgrep says of a file in which there is a NUL stands among what it found. */
const REMARK = /: (?:WARNING: stopped searching )?binary file (?:matches|after match) \(found/

/** Lines as ripgrep tells of them: the file, a NUL, the number, a colon, the line. */
export async function* readHits(chunks: AsyncIterable<Buffer>): AsyncGenerator<Hit> {
  // A name may hold a line break: its rest follows.
  let before = ''
  for await (const { text, cut } of readFields(chunks, NEWLINE)) {
    const nul = text.indexOf('\0')
    if (nul === -1) {
      before = REMARK.test(text) ? '' : `${before}${text}\n`
      continue
    }
    const path = `${before}${text.slice(0, nul)}`.replace(/^\.\//, '')
    before = ''
    const colon = text.indexOf(':', nul)
    const value = text.slice(colon + 1).replace(/\r$/, '')
    yield {
      path,
      line: Number(text.slice(nul + 1, colon)),
      text: value.slice(0, MAX_LINE_LENGTH),
      cut: cut || value.length > MAX_LINE_LENGTH,
    }
  }
}
