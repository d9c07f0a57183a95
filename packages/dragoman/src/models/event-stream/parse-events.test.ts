import { expect, it } from 'vitest'

import { createEventParser } from './parse-events.ts'

const TEXT = ': a comment\n\nevent: a\ndata: 1\ndata:2\nid: 7\n\ndata\n\n\ndata:  two spaces\n\n'
const EVENTS = [
  { name: 'a', data: '1\n2' },
  { name: undefined, data: '' },
  { name: undefined, data: ' two spaces' },
]

it.each(['\n', '\r', '\r\n'])(
  'reads events with lines that end with %j, in pieces of any size',
  (lineEnd) => {
    const text = TEXT.replaceAll('\n', lineEnd)
    for (let size = 1; size <= text.length; size++) {
      const parser = createEventParser()
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      )
      expect(pieces.flatMap((piece) => parser.take(piece))).toEqual(EVENTS)
      expect(parser.end()).toBeUndefined()
    }
  },
)

it('returns the last event at the end, also without its blank line', () => {
  const parser = createEventParser()

  expect(parser.take('data: 1\n\ndata: 2')).toEqual([{ name: undefined, data: '1' }])
  expect(parser.end()).toEqual({ name: undefined, data: '2' })
})
