import { describe, expect, it } from 'vitest'

import { inDialect, streamOf } from './run-url.ts'

describe('where a run’s stream is', () => {
  it.each([
    ['/jobs/chat', '/jobs/chat/run_1/stream?'],
    ['https://a.example/mount/jobs/chat', 'https://a.example/mount/jobs/chat/run_1/stream?'],
    ['/jobs/chat?client=ai-6&showThinking=false#x', '/jobs/chat/run_1/stream?client=ai-6&showThinking=false'],
    ['/jobs/chat/my%20chat/stream?token=t', '/jobs/chat/run_1/stream?token=t'],
    ['/jobs/chat/stream/stream', '/jobs/chat/run_1/stream?'],
    ['/jobs/chat?chatId=a/b', '/jobs/chat/run_1/stream?'],
    ['/jobs/chat/stream?chatId=c&client=ai-6', '/jobs/chat/run_1/stream?client=ai-6'],
    ['/jobs/chat/c/stream?startIndex=4&after=2', '/jobs/chat/run_1/stream?'],
    ['/api/v1/chat/v5/stream', '/api/v1/chat/v5/stream/run_1/stream?'],
    ['http://h/m/api/v1/chat/v5/guest/stream', 'http://h/m/api/v1/chat/v5/guest/stream/run_1/stream?'],
    ['/api/v1/chat/v5/stream?chatId=c', '/api/v1/chat/v5/stream/run_1/stream?'],
    ['/api/v1/chat/v5/stream/evening/stream', '/api/v1/chat/v5/stream/run_1/stream?'],
    ['/jobs/chat/v5/stream', '/jobs/chat/run_1/stream?'],
    ['http://h/m/v1/threads/t/runs?protocol=eve', 'http://h/m/v1/runs/run_1/events?protocol=eve'],
    ['http://h/m/api/chat/stream?ids=1', 'http://h/m/v1/runs/run_1/events?ids=1'],
    ['/api/chat/stream', '/v1/runs/run_1/events?'],
    ['http://h/v1/runs/msg_1/events?after=3', 'http://h/v1/runs/run_1/events?'],
    ['https://gateway.example/v1/jobs/chat', 'https://gateway.example/v1/jobs/chat/run_1/stream?'],
  ])('is, where %s has answered with it, %s', (answered, stream) => {
    expect(streamOf('run_1', answered)).toBe(stream)
  })

  it('says its dialect once', () => {
    expect(inDialect('/a?protocol=eve&x=1', 'native')).toBe('/a?protocol=native&x=1')
  })
})
