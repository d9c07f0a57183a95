import { ServiceError } from '../../errors.ts'

/** The head of a part: its fields, in small letters. */
type Head = ReadonlyMap<string, string>

/** One part of a multipart body. Its content must be read before the next part. */
export type MultipartPart = {
  /** Of its file; absent if the part is a field of text. */
  readonly filename?: string
  readonly mediaType: string
  readonly content: AsyncIterable<Uint8Array>
}

const MAX_HEAD_BYTES = 16 * 1024
const CRLF = Buffer.from('\r\n')

/**
 * Reads a body of `multipart/form-data` while it comes (RFC 7578). At most a piece of it is in memory.
 * @throws ServiceError `invalid-request`
 */
export async function* readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<MultipartPart, void> {
  const reader = createDelimitedReader(chunks, `\r\n--${boundaryIn(contentType)}`)
  // Nothing that comes before the first delimiter counts.
  await reader.skip()
  while (!(await reader.isLast())) {
    const head = readHead(await reader.head())
    const filename = parameterIn(head.get('content-disposition') ?? '', 'filename')
    yield {
      ...(filename !== undefined && { filename }),
      mediaType: head.get('content-type') ?? 'text/plain',
      content: { [Symbol.asyncIterator]: reader.pieces },
    }
    await reader.skip()
  }
}

function boundaryIn(contentType: string): string {
  const boundary = parameterIn(contentType, 'boundary')
  if (/^multipart\/form-data\s*;/i.test(contentType) && boundary !== undefined && boundary.length <= 70)
    return boundary
  throw new ServiceError('invalid-request', 'The body must be multipart/form-data with a file.')
}

/** The value of a parameter, which may be in quotes. */
function parameterIn(header: string, name: string): string | undefined {
  for (const [, key = '', quoted, plain] of header.matchAll(/;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g))
    if (key.toLowerCase() === name)
      return quoted?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? plain?.trim()
  return undefined
}

function readHead(text: string): Head {
  const lines = text.split('\r\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
}

/** Reads up to the next delimiter, and what stands between it and the content that follows. */
function createDelimitedReader(chunks: AsyncIterable<Uint8Array>, delimiterText: string) {
  const delimiter = Buffer.from(delimiterText, 'latin1')
  const source = chunks[Symbol.asyncIterator]()
  // A delimiter starts a line: so does the body.
  let buffer: Buffer = CRLF
  const more = async (): Promise<void> => {
    const { value, done } = await source.next()
    if (done) throw new ServiceError('invalid-request', 'The body ends within a part.')
    buffer = Buffer.concat([buffer, value])
  }
  const take = (length: number): Buffer => {
    const piece = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    return piece
  }
  let isOver = false
  const readPieces = async function* (): AsyncGenerator<Uint8Array, void> {
    while (!isOver) {
      const at = buffer.indexOf(delimiter)
      const length = at < 0 ? Math.max(0, buffer.length - delimiter.length + 1) : at
      if (length > 0) yield take(length)
      else if (at < 0) await more()
      else {
        isOver = true
        take(delimiter.length)
      }
    }
  }
  return {
    /** The content before the next delimiter, which is passed over. Each reader goes on where the last one ended. */
    pieces: readPieces,
    /** Passes over what is left of it. */
    async skip(): Promise<void> {
      for await (const _ of readPieces()) continue
    },
    /** Whether the delimiter was the last one. */
    async isLast(): Promise<boolean> {
      while (buffer.length < 2) await more()
      return take(2).toString('latin1') === '--'
    },
    /** The head of a part, which ends with an empty line. */
    async head(): Promise<string> {
      for (;;) {
        const at = buffer.indexOf('\r\n\r\n')
        if (at >= 0) {
          isOver = false
          return take(at + 4).toString('utf8')
        }
        if (buffer.length > MAX_HEAD_BYTES)
          throw new ServiceError('invalid-request', 'The head of a part of the body is too long.')
        await more()
      }
    },
  }
}
