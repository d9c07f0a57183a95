import { describe, expect, it } from 'vitest'

import { envelopeReader } from './envelope-reader.ts'

describe('envelopeReader', () => {
  const read = (text: string, id?: string, msgStatus = 'generating') =>
    `${id === undefined ? '' : `id: ${id}\n`}data: {"msgStatus":"${msgStatus}","messages":["${text}"]}\n\n`

  it('returns only envelopes, and keeps the last cursor', () => {
    const reading = envelopeReader('incremental')

    expect(
      reading.take(`id: 1.1\ndata: {"type":"connected"}\n\n${read('\u2028data: ', '2.1')}: ping\n\n`),
    ).toMatchObject([{ messages: ['\u2028data: '] }])
    expect([reading.cursor(), reading.isEnded()]).toEqual(['2.1', false])
    reading.take(`${read('', '3', 'finished')}data: {"type":"stream_end"}\n\n`)
    expect(reading.isEnded()).toBe(true)
  })

  it('drops repeated increments only until there is a cursor', () => {
    const reading = envelopeReader('incremental')
    reading.take(read('a') + read('b'))
    reading.isEnded()

    expect(reading.take(read('a', '1'))).toEqual([])
    reading.isEnded()
    expect(reading.cursor()).toBe('1')
    expect(reading.take(read('b', '2') + read('c', '3'))).toMatchObject([{ messages: ['c'] }])
    reading.isEnded()
    expect(reading.take(read('d', '4'))).toMatchObject([{ messages: ['d'] }])
  })

  it('throws where a stream without cursors repeats other increments', () => {
    const reading = envelopeReader('incremental')
    reading.take(read('a') + read('b'))
    reading.isEnded()

    expect(() => reading.take(read('a', '1') + read('c', '2'))).toThrow('another log')
  })

  it('keeps every full envelope', () => {
    const reading = envelopeReader('full')
    reading.take(read('a'))
    reading.isEnded()

    expect(reading.take(read('ab'))).toHaveLength(1)
  })
})
