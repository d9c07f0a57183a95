import { describe, expect, it } from 'vitest'

import { nativeReader } from './native-reader.ts'
import { uiMessageStreamReader } from './ui-message-stream-reader.ts'
import { dataStreamReader } from './data-stream-reader.ts'
import type { AnswerFormat, StreamReader } from './resume-stream.ts'

/** A reader of an answer with these headers, which must be in its protocol. */
function openReader(format: AnswerFormat, headers: Readonly<Record<string, string>>): StreamReader<string> {
  const reader = format(new Headers(headers))
  if (!reader) throw new Error('The answer is in another protocol.')
  return reader
}

const uiHeaders = { 'x-vercel-ai-ui-message-stream': 'v1' }
const lineHeaders = { 'content-type': 'text/plain; charset=utf-8' }

describe('ui-message-stream', () => {
  it('tracks the cursor of the last event, whatever its text contains', () => {
    const reader = openReader(uiMessageStreamReader, uiHeaders)

    reader.take('id: 3\ndata: {"delta":"\u2028id: 99\u2028data: [DONE]"}\n\n')

    expect([reader.cursor(), reader.isEnded()]).toEqual(['3', false])
  })

  it('ends with [DONE] only if nothing follows it', () => {
    const reader = openReader(uiMessageStreamReader, { ...uiHeaders, 'x-after': '2' })
    reader.take('id: 3\ndata: [DONE]\n\n')
    expect(reader.isEnded()).toBe(true)

    reader.take('id: 4\ndata: {"type":"start-step"}\n\n')
    expect(reader.isEnded()).toBe(false)

    reader.take(': ping\n\nid: 5\ndata: [DONE]\n\n: ping\n\n')
    expect([reader.cursor(), reader.isEnded()]).toEqual(['5', true])
  })

  it('does not pass heartbeats on', () => {
    expect(openReader(uiMessageStreamReader, uiHeaders).take(': ping\n\n')).toEqual([])
  })
})

describe('data-stream', () => {
  it('removes repeated content, in any pieces', () => {
    const reader = openReader(dataStreamReader, lineHeaders)
    expect([reader.take('f:{}\n\n0:"a"\n'), reader.take('\n'), reader.isEnded()]).toEqual([
      ['f:{}\n0:"a"\n'],
      [],
      false,
    ])

    expect(reader.take('f:{}\n')).toEqual([])
    expect(reader.take('\n0:"a"\n0:"b"\n')).toEqual(['0:"b"\n'])
    expect(reader.take('0:"c"\n')).toEqual(['0:"c"\n'])
    expect(reader.isEnded()).toBe(false)
    expect(reader.take('f:{}\n0:"a"\n0:"b"\n')).toEqual([])
    expect(reader.isEnded()).toBe(false)
    expect(reader.take('f:{}\n0:"a"\n0:"b"\n0:"c"\nd:{}\n')).toEqual(['d:{}\n'])
    expect(reader.isEnded()).toBe(true)
  })

  it('continues a run that had waited', () => {
    const reader = openReader(dataStreamReader, { ...lineHeaders, 'x-after': '2' })
    reader.take('a:{"toolCallId":"c1"}\n')
    reader.isEnded()

    expect(reader.take('f:{}\n9:{"toolCallId":"c1"}\nd:{}\n')).toEqual([])
    expect(reader.take('a:{"toolCallId":"c1"}\n0:"b"\n')).toEqual(['0:"b"\n'])
  })

  it.each(['d:{}\n', '3:"gone"\n'])('ends with %j', (last) => {
    const reader = openReader(dataStreamReader, lineHeaders)
    reader.take(`d:{}\n0:"d:"\n`)
    expect(reader.isEnded()).toBe(false)
    reader.take(`d:{}\n0:"d:"\n${last}`)
    expect(reader.isEnded()).toBe(true)
  })

  it('throws if it began in the middle and was cut before its first line', () => {
    expect(() => openReader(dataStreamReader, { ...lineHeaders, 'x-after': '2' }).isEnded()).toThrow(
      'before its first line',
    )
    expect(openReader(dataStreamReader, lineHeaders).isEnded()).toBe(false)
  })

  it('throws if a run is repeated with other content', () => {
    const reader = openReader(dataStreamReader, lineHeaders)
    reader.take('f:{}\n0:"a"\n')
    reader.isEnded()
    reader.take('f:{}\n0:"other"\nd:{}\n')

    expect(() => reader.isEnded()).toThrow('another log')
  })
})

describe('native', () => {
  const entriesText = (...seqs: readonly number[]) =>
    seqs.map((seq) => `id: ${seq}\ndata: {"seq":${seq},"at":1,"type":"run.waiting","calls":[]}\n\n`).join('')

  it('returns each entry once, also after a replay', () => {
    const reader = nativeReader()
    expect(reader.cursor()).toBeUndefined()

    expect(reader.take(entriesText(1, 2))).toMatchObject([
      { seq: 1 },
      { seq: 2, event: { type: 'run.waiting' } },
    ])
    expect(reader.take(entriesText(1, 2, 3))).toEqual([
      { seq: 3, at: 1, event: { type: 'run.waiting', calls: [] } },
    ])
    expect([reader.cursor(), reader.isEnded()]).toEqual([expect.stringMatching(/^3-\w+$/), false])
  })

  it('ends with the terminal entry', () => {
    const reader = nativeReader({ seq: 7, at: 1, event: { type: 'run.waiting', calls: [] } })
    expect(reader.cursor()).toMatch(/^7-\w+$/)

    reader.take('id: 8\ndata: {"seq":8,"at":1,"type":"run.cancelled","by":"user","usage":{}}\n\n')

    expect(reader.isEnded()).toBe(true)
  })
})
