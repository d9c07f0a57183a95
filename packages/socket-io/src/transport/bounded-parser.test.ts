import { describe, expect, it } from 'vitest'

import { boundedParser, packetBytes } from './bounded-parser.ts'

function decode(packet: string | Buffer): unknown {
  const decoder = boundedParser.Decoder()
  let decoded: unknown
  decoder.on('decoded', (each: unknown) => (decoded = each))
  decoder.add(packet)
  return decoded
}

describe('the decoder of Socket.IO’s packets', () => {
  it.each([
    ['0', { type: 0, nsp: '/' }],
    ['0{"token":"t"}', { type: 0, nsp: '/', data: { token: 't' } }],
    ['0/chat,{"token":"t"}', { type: 0, nsp: '/chat', data: { token: 't' } }],
    ['0/chat', { type: 0, nsp: '/chat' }],
    ['1', { type: 1, nsp: '/' }],
    ['2["message",{"a":"1,2"}]', { type: 2, nsp: '/', data: ['message', { a: '1,2' }] }],
    ['212345["message"]', { type: 2, nsp: '/', id: 12_345, data: ['message'] }],
    ['2/chat,7["message"]', { type: 2, nsp: '/chat', id: 7, data: ['message'] }],
    ['37[]', { type: 3, nsp: '/', id: 7, data: [] }],
  ])('reads %s', (packet, expected) => {
    expect(decode(packet)).toEqual(expected)
  })

  it('knows the size of a message', () => {
    const { data } = decode('2["message","你好"]') as { data: object }

    expect(packetBytes(data)).toBe(Buffer.byteLength('2["message","你好"]'))
    expect(packetBytes([])).toBe(0)
  })

  const LONG = 300
  it.each([
    ['', 'an empty packet'],
    [`2${'1'.repeat(LONG)}["message"]`, 'a long id'],
    [`0/${'n'.repeat(LONG)},`, 'a long namespace'],
    [`0/${'n'.repeat(LONG)}`, 'a long namespace without an end'],
    [`5${'1'.repeat(LONG)}-["message"]`, 'a long number of attachments'],
    ['51-["message",{"_placeholder":true,"num":0}]', 'an attachment'],
    ['61-[{"_placeholder":true,"num":0}]', 'an acknowledgement with an attachment'],
    ['50-["message"]', 'no attachment'],
    ['x["message"]', 'no type'],
    [' 2["message"]', 'a space'],
    ['2[', 'half of a packet'],
    [`2[${'1,'.repeat(60_000)}1]`, 'too many values'],
  ])('refuses what follows: %#', (packet) => {
    expect(() => decode(packet)).toThrow()
  })

  it('refuses bytes', () => {
    expect(() => decode(Buffer.from('bytes'))).toThrow()
  })
})
