import { describe, expect, it } from 'vitest'

import { createBodyBuffer, LEFT_OUT } from './body-buffer.ts'

const photo = (letter: string) => `data:image/png;base64,${letter.repeat(20_000)}`
const value = {
  text: 'He said: "data:image/png;base64,AAAA" \\',
  long: 'x y '.repeat(10_000),
  escaped: '"\\'.repeat(10_000),
  messages: [{ url: photo('A') }, { data: 'B'.repeat(20_000), note: '' }, { url: photo('C') }],
}
const body = Buffer.from(JSON.stringify(value))

function bufferOf(size: number) {
  const buffer = createBodyBuffer()
  for (let at = 0; at < body.length; at += size) buffer.add(body.subarray(at, at + size))
  return buffer
}

describe('the buffer of a body', () => {
  it.each([1, 3, 1000, 1_000_000])('holds what comes, in pieces of %i bytes', (size) => {
    const buffer = bufferOf(size)

    expect(buffer.bytes).toBe(body.length)
    expect(buffer.content().equals(body)).toBe(true)
  })

  it.each([1, 3, 1000, 1_000_000])(
    'leaves out the content of the oldest files, in pieces of %i bytes',
    (size) => {
      const buffer = bufferOf(size)
      const bytes = [buffer.leaveOut(), buffer.leaveOut()]

      expect(bytes).toEqual([photo('A').length - LEFT_OUT.length, 20_000 - LEFT_OUT.length])
      expect(JSON.parse(buffer.content().toString())).toEqual({
        ...value,
        messages: [{ url: LEFT_OUT }, { data: LEFT_OUT, note: '' }, { url: photo('C') }],
      })
      expect(buffer.bytes).toBe(buffer.content().length)
      expect(buffer.leaveOut()).toBeGreaterThan(0)
      expect(buffer.leaveOut()).toBe(0)
    },
  )
})
