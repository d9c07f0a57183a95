import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { eventsOf, framesOf, reading } from '../../../../test/support/event-stream.ts'
import { eveRequest } from '../../../../agents/jobs/test/support/eve-request.ts'
import { oneHome } from '../../../../test/support/one-home.ts'
import { ask } from '../../../../test/support/wire.ts'
import { postJson } from '../../../../test/support/http.ts'

const house = oneHome()

/** A server in a process of its own, whose built-in model says so many words a second. */
function started(pace: number) {
  return house.start(['--port', '0', '--home', house.home, '--log-level', 'silent'], {
    DRAGOMAN_OFFLINE_PACE: String(pace),
  })
}

/** A slow server writes heartbeats between entries. */
function withoutHeartbeats(text: string): string {
  return text.replaceAll(': ping\n\n', '')
}

describe('a server killed during a stream', () => {
  it('continues for its readers without repetitions, and frees the thread', async () => {
    const first = started(50)
    const url = await first.ready
    const chat = (at: string, conversationId = 'chat-1'): Promise<Response> =>
      postJson(`${at}/jobs/chat?ids=1`, eveRequest('你好', { conversationId }))
    const answer = await chat(url)
    const name = String(answer.headers.get('x-run-id'))
    const path = `/v1/runs/${name}/events`
    const body = reading(await fetch(`${url}${path}`))
    await body.until('text.delta')
    first.kill()
    await expect(body.until('run.finished')).rejects.toThrow()
    const had = body.soFar()

    const again = await started(0).ready
    const last = Number(eventsOf(had).at(-1)?.id)
    const rest = await ask(again, { path, headers: { 'last-event-id': String(last) } })
    const whole = await ask(again, { path })
    const runState = (await ask(again, { path: `/v1/runs/${name}` })).json['run'] as Record<string, Json>

    const beforeKill = had.toString('utf8', 0, eventsOf(had).at(-1)?.end)
    expect(withoutHeartbeats(whole.text)).toBe(withoutHeartbeats(beforeKill + rest.text))
    const ids = eventsOf(Buffer.from(whole.text)).map(({ id }) => Number(id))
    expect(ids).toEqual(ids.map((_id, index) => index + 1))
    expect(runState).toMatchObject({ status: 'finished', lastSeq: ids.length })
    const frames = framesOf(Buffer.from(whole.text)) as { type: string; delta?: string }[]
    expect(frames.at(-1)).toMatchObject({ type: 'run.finished' })
    expect(frames.filter(({ type }) => type === 'run.resumed')).toMatchObject([
      { because: 'crash', attempt: 1 },
    ])
    const words = frames.flatMap(({ type, delta }) => (type === 'text.delta' ? [delta] : [])).join('')
    const uncut = await (await chat(again, 'chat-2')).text()
    const uncutFrames = framesOf(Buffer.from(uncut)) as { type: string; delta?: string }[]
    expect(words).toBe(
      uncutFrames.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : [])).join(''),
    )
    const next = await chat(again)
    expect(next.status).toBe(200)
    expect(await next.text()).toContain('"type":"finish"')
  })
})
