import { describe, expect, it } from 'vitest'

import { readMultipart } from './multipart.ts'

/** The body of a form as a browser sends it, in pieces of one size. */
async function read(form: FormData, size: number) {
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const body = Buffer.from(await request.clone().arrayBuffer())
  const pieces = async function* () {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
  }
  const parts: { filename?: string | undefined; mediaType: string; content: string }[] = []
  for await (const part of readMultipart(pieces(), request.headers.get('content-type') ?? '')) {
    const content: Uint8Array[] = []
    for await (const piece of part.content) content.push(piece)
    const { filename, mediaType } = part
    parts.push({ filename, mediaType, content: Buffer.concat(content).toString() })
  }
  return parts
}

describe('a multipart body', () => {
  const text = `a\r\n--b\r\n\r\n${'x'.repeat(300)}\r\n--`
  const form = new FormData()
  form.append('note', 'Hello.')
  form.append('file', new File([text], 'a "b"; ü.txt', { type: 'text/csv' }))
  form.append('empty', new File([], 'empty'))

  it.each([1, 7, 64, 100_000])('is read in pieces of %i bytes', async (size) => {
    expect(await read(form, size)).toEqual([
      { mediaType: 'text/plain', content: 'Hello.' },
      { filename: 'a "b"; ü.txt', mediaType: 'text/csv', content: text },
      { filename: 'empty', mediaType: 'application/octet-stream', content: '' },
    ])
  })

  it('may have parts that no one reads', async () => {
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const names: (string | undefined)[] = []
    const pieces = request.body ?? ReadableStream.from([])
    for await (const { filename } of readMultipart(pieces, request.headers.get('content-type') ?? ''))
      names.push(filename)

    expect(names).toEqual([undefined, 'a "b"; ü.txt', 'empty'])
  })

  it.each([
    ['of another type', 'application/json', 'must be multipart/form-data'],
    ['without a boundary', 'multipart/form-data', 'must be multipart/form-data'],
    ['that is cut off', 'multipart/form-data; boundary=b', 'ends within a part'],
  ])('%s is refused', async (_what, type, message) => {
    const cut = ReadableStream.from([Buffer.from('--b\r\ncontent-type: a/b\r\n\r\nHel')])
    const names: unknown[] = []
    const all = async () => {
      for await (const part of readMultipart(cut, type)) names.push(part.filename)
    }

    await expect(all()).rejects.toThrow(message)
  })
})
