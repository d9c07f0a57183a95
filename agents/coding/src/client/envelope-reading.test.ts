import { describe, expect, it } from 'vitest'

import { envelopeReading } from './envelope-reading.ts'

describe('a reading of envelopes', () => {
  const told = (text: string, id?: string, msgStatus = 'generating') =>
    `${id === undefined ? '' : `id: ${id}\n`}data: {"msgStatus":"${msgStatus}","messages":["${text}"]}\n\n`

  it('gives the envelopes alone, and has the cursor of the last', () => {
    const reading = envelopeReading('incremental')

    expect(
      reading.take(`id: 1.1\ndata: {"type":"connected"}\n\n${told('\u2028data: ', '2.1')}: ping\n\n`),
    ).toMatchObject([{ messages: ['\u2028data: '] }])
    expect([reading.cursor(), reading.isEnded()]).toEqual(['2.1', false])
    reading.take(`${told('', '3', 'finished')}data: {"type":"stream_end"}\n\n`)
    expect(reading.isEnded()).toBe(true)
  })

  it('leaves out increments that are told again, for want of a cursor, and once there is one none', () => {
    const reading = envelopeReading('incremental')
    reading.take(told('a') + told('b'))
    reading.isEnded()

    expect(reading.take(told('a', '1'))).toEqual([])
    reading.isEnded()
    expect(reading.cursor()).toBe('1')
    expect(reading.take(told('b', '2') + told('c', '3'))).toMatchObject([{ messages: ['c'] }])
    reading.isEnded()
    expect(reading.take(told('d', '4'))).toMatchObject([{ messages: ['d'] }])
  })

  it('takes each that says everything', () => {
    const reading = envelopeReading('full')
    reading.take(told('a'))
    reading.isEnded()

    expect(reading.take(told('ab'))).toHaveLength(1)
  })
})
