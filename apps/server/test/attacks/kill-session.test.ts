import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { framesOf, saidIn, type Envelope } from '../../../../agents/coding/test/support/coding.ts'
import { eventsOf, reading } from '../../../../test/support/event-stream.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { ask } from '../../../../test/support/wire.ts'
import { postJson } from '../../../../test/support/http.ts'

const house = useProcesses()

describe('a session of a killed server', () => {
  it('resumes in either mode with each word once', async () => {
    const root = join(house.home, 'root')
    await mkdir(root)
    const started = (pace: number) =>
      house.start(['--port', '0', '--home', house.home, '--root', root, '--log-level', 'silent'], {
        DRAGOMAN_OFFLINE_PACE: String(pace),
      })
    const modes = ['incremental', 'full'] as const
    const post = (at: string, responseMode: string): Promise<Response> =>
      postJson(`${at}/api/chat/stream?ids=1`, {
        sessionId: `会话 ${responseMode}`,
        messageId: 'm-1',
        message: '你好',
        responseMode,
      })
    const first = started(20)
    const url = await first.ready
    const read = await Promise.all(modes.map(async (mode) => reading(await post(url, mode))))
    await Promise.all(read.map((each) => each.until('"content"')))
    first.kill()
    await Promise.all(read.map((each) => expect(each.until('"finished"')).rejects.toThrow()))
    const again = await started(0).ready

    for (const [at, mode] of modes.entries()) {
      const sessionId = `会话 ${mode}`
      const had = eventsOf(read[at]?.soFar() ?? Buffer.alloc(0))
      const query = new URLSearchParams({ sessionId, messageId: 'm-1', ids: '1' }).toString()
      const headers = { 'last-event-id': String(had.at(-1)?.id) }
      const rest = await ask(again, { path: `/api/chat/stream?${query}`, headers })
      const frames = [...had, ...eventsOf(Buffer.from(rest.text))].map(
        ({ data }) => JSON.parse(data) as Envelope,
      )
      const whole = await framesOf(await post(again, mode))
      const history = await ask(again, { method: 'POST', path: '/api/chat/history', body: { sessionId } })

      expect(frames.filter(({ msgStatus }) => msgStatus === 'finished')).toEqual([frames.at(-1)])
      expect(frames.at(-1)).toEqual(whole.at(-1))
      if (mode === 'incremental') expect(frames).toEqual(whole)
      const answer = mode === 'full' ? saidIn(frames.slice(-1)) : saidIn(frames)
      const content = String((history.json['history'] as { content: string }[])[1]?.content)
      // Where it was cut off, the answer goes on in a part of its own.
      expect(content.replaceAll('\n', '')).toBe(answer.replaceAll('\n', ''))
    }
  })
})
