import { describe, expect, it } from 'vitest'

import { withProtocol, runStreamUrl } from './run-url.ts'

describe('runStreamUrl', () => {
  it.each([
    ['/dice/chat', '/dice/chat/run_1/stream?'],
    ['https://a.example/mount/dice/chat', 'https://a.example/mount/dice/chat/run_1/stream?'],
    ['/dice/chat?client=ai-6&showThinking=false#x', '/dice/chat/run_1/stream?client=ai-6&showThinking=false'],
    ['/dice/chat/my%20chat/stream?token=t', '/dice/chat/run_1/stream?token=t'],
    ['/dice/chat/stream/stream', '/dice/chat/run_1/stream?'],
    ['/dice/chat?chatId=a/b', '/dice/chat/run_1/stream?'],
    ['/dice/chat/stream?chatId=c&client=ai-6', '/dice/chat/run_1/stream?client=ai-6'],
    ['/dice/chat/c/stream?startIndex=4&after=2', '/dice/chat/run_1/stream?'],
    ['/api/v1/chat/v5/stream', '/api/v1/chat/v5/stream/run_1/stream?'],
    ['http://h/m/api/v1/chat/v5/guest/stream', 'http://h/m/api/v1/chat/v5/guest/stream/run_1/stream?'],
    ['/api/v1/chat/v5/stream?chatId=c', '/api/v1/chat/v5/stream/run_1/stream?'],
    ['/api/v1/chat/v5/stream/evening/stream', '/api/v1/chat/v5/stream/run_1/stream?'],
    ['/dice/chat/v5/stream', '/dice/chat/run_1/stream?'],
    ['http://h/m/v1/threads/t/runs?protocol=eve', 'http://h/m/v1/runs/run_1/events?protocol=eve'],
    ['http://h/m/api/chat/stream?ids=1', 'http://h/m/v1/runs/run_1/events?ids=1'],
    ['/api/chat/stream', '/v1/runs/run_1/events?'],
    ['http://h/v1/runs/msg_1/events?after=3', 'http://h/v1/runs/run_1/events?'],
    ['https://gateway.example/v1/dice/chat', 'https://gateway.example/v1/dice/chat/run_1/stream?'],
  ])('derives from %s the stream %s', (answered, stream) => {
    expect(runStreamUrl('run_1', answered)).toBe(stream)
  })

  it('replaces a protocol in the query', () => {
    expect(withProtocol('/a?protocol=eve&x=1', 'native')).toBe('/a?protocol=native&x=1')
  })
})
