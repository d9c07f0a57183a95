import { describe, expect, it } from 'vitest'

import { filePartSchema } from './user-part-schemas.ts'

const fits = (data: string): boolean =>
  filePartSchema.safeParse({ type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${data}` })
    .success

describe('a file in a message', () => {
  it.each(['iVBORw0KGgo=', 'YQ==', 'YWJj', 'YW\nJj', '8J-Yig', '', 'A'.repeat(20_000_000)])(
    'may have this data: %.20s',
    (data) => {
      expect(fits(data)).toBe(true)
    },
  )

  it.each(['=', 'YQ===', 'Y=Q=', 'a.b'])('may not: %.20s', (data) => {
    expect(fits(data)).toBe(false)
  })

  it.each([
    ['data:image/png;base64,YQ==', 'image/png'],
    ['data:,Hello', 'application/octet-stream'],
    ['https://a.example/b.jpg?c', 'image/jpeg'],
    ['https://a.example/b', 'application/octet-stream'],
  ])('has the type that its address says: %j', (url, mediaType) => {
    expect(filePartSchema.parse({ type: 'file', url })).toEqual({ type: 'file', url, mediaType })
    const nulls = { type: 'file', url, mediaType: null, filename: null }
    expect(filePartSchema.parse(nulls)).toEqual({ type: 'file', url, mediaType })
  })

  it.each([
    ['', 'application/octet-stream'],
    ['text/plain; charset=utf-8', 'text/plain'],
  ])('has the plain type of %j', (mediaType, plain) => {
    const part = { type: 'file', mediaType, url: 'data:,Hello' }

    expect(filePartSchema.parse(part)).toEqual({ ...part, mediaType: plain })
  })
})
