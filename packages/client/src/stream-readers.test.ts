import { describe, expect, it } from 'vitest'

import { nativeReader } from './native-reader.ts'
import { uiMessageStreamReader } from './ui-message-stream-reader.ts'
import { dataStreamReader } from './data-stream-reader.ts'

describe('ui-message-stream', () => {
  it('tracks the cursor of the last event, whatever its text contains', () => {
    const reading = uiMessageStreamReader(undefined)

    reading.take('id: 3\ndata: {"delta":"\u2028id: 99\u2028data: [DONE]"}\n\n')

    expect([reading.cursor(), reading.isEnded()]).toEqual(['3', false])
  })

  it('ends with [DONE] only if nothing follows it', () => {
    const reading = uiMessageStreamReader('2')
    reading.take('id: 3\ndata: [DONE]\n\n')
    expect(reading.isEnded()).toBe(true)

    reading.take('id: 4\ndata: {"type":"start-step"}\n\n')
    expect(reading.isEnded()).toBe(false)

    reading.take(': ping\n\nid: 5\ndata: [DONE]\n\n: ping\n\n')
    expect([reading.cursor(), reading.isEnded()]).toEqual(['5', true])
  })

  it('does not pass heartbeats on', () => {
    expect(uiMessageStreamReader(undefined).take(': ping\n\n')).toEqual([])
  })
})

describe('data-stream', () => {
  it('removes repeated content, in any pieces', () => {
    const reading = dataStreamReader(true)
    expect([reading.take('f:{}\n\n0:"a"\n'), reading.take('\n'), reading.isEnded()]).toEqual([
      ['f:{}\n0:"a"\n'],
      [],
      false,
    ])

    expect(reading.take('f:{}\n')).toEqual([])
    expect(reading.take('\n0:"a"\n0:"b"\n')).toEqual(['0:"b"\n'])
    expect(reading.take('0:"c"\n')).toEqual(['0:"c"\n'])
    expect(reading.isEnded()).toBe(false)
    expect(reading.take('f:{}\n0:"a"\n0:"b"\n')).toEqual([])
    expect(reading.isEnded()).toBe(false)
    expect(reading.take('f:{}\n0:"a"\n0:"b"\n0:"c"\nd:{}\n')).toEqual(['d:{}\n'])
    expect(reading.isEnded()).toBe(true)
  })

  it('continues a run that had waited', () => {
    const reading = dataStreamReader(false)
    reading.take('a:{"toolCallId":"c1"}\n')
    reading.isEnded()

    expect(reading.take('f:{}\n9:{"toolCallId":"c1"}\nd:{}\n')).toEqual([])
    expect(reading.take('a:{"toolCallId":"c1"}\n0:"b"\n')).toEqual(['0:"b"\n'])
  })

  it.each(['d:{}\n', '3:"gone"\n'])('ends with %j', (last) => {
    const reading = dataStreamReader(true)
    reading.take(`d:{}\n0:"d:"\n`)
    expect(reading.isEnded()).toBe(false)
    reading.take(`d:{}\n0:"d:"\n${last}`)
    expect(reading.isEnded()).toBe(true)
  })

  it('throws if it began in the middle and was cut before its first line', () => {
    expect(() => dataStreamReader(false).isEnded()).toThrow('before its first line')
    expect(dataStreamReader(true).isEnded()).toBe(false)
  })

  it('throws if a run is repeated with other content', () => {
    const reading = dataStreamReader(true)
    reading.take('f:{}\n0:"a"\n')
    reading.isEnded()
    reading.take('f:{}\n0:"other"\nd:{}\n')

    expect(() => reading.isEnded()).toThrow('in other words')
  })
})

describe('native', () => {
  const told = (...seqs: readonly number[]) =>
    seqs.map((seq) => `id: ${seq}\ndata: {"seq":${seq},"at":1,"type":"run.waiting","calls":[]}\n\n`).join('')

  it('returns each entry once, also after a replay', () => {
    const reading = nativeReader(0)
    expect(reading.cursor()).toBeUndefined()

    expect(reading.take(told(1, 2))).toMatchObject([{ seq: 1 }, { seq: 2, event: { type: 'run.waiting' } }])
    expect(reading.take(told(1, 2, 3))).toEqual([
      { seq: 3, at: 1, event: { type: 'run.waiting', calls: [] } },
    ])
    expect([reading.cursor(), reading.isEnded()]).toEqual(['3', false])
  })

  it('ends with the terminal entry', () => {
    const reading = nativeReader(7)
    expect(reading.cursor()).toBe('7')

    reading.take('id: 8\ndata: {"seq":8,"at":1,"type":"run.cancelled","by":"user","usage":{}}\n\n')

    expect(reading.isEnded()).toBe(true)
  })
})
