import { describe, expect, it } from 'vitest'

import { eventsOf, framesOf, reading } from '../../../../test/support/event-stream.ts'
import { eveRequest } from '../../../../agents/jobs/test/support/eve-request.ts'
import { SQLITE_BIN } from '../../../../test/support/process.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { ask } from '../../../../test/support/wire.ts'

const house = useProcesses()

/** A server whose files may not grow beyond what `limit` says. */
function started(pace: number, limit?: string) {
  const env = { DRAGOMAN_OFFLINE_PACE: String(pace) }
  return house.start(['--port', '0', '--home', house.home], env, limit, SQLITE_BIN)
}

describe('a server with a full disk', () => {
  it('disconnects its readers, reports why, and completes its runs when there is space', async () => {
    const server = started(20, 'ulimit -f 3600')
    const url = await server.ready
    const post = (words: string): Promise<Response> =>
      fetch(`${url}/jobs/chat`, { method: 'POST', body: JSON.stringify(eveRequest(words)) })
    const name = String((await post('hello')).headers.get('x-run-id'))
    const path = `/v1/runs/${name}/events`
    const body = reading(await fetch(`${url}${path}`))
    await body.until('.delta')

    const statuses = new Set<number>()
    while (!statuses.has(503) && statuses.size < 2) {
      const answer = await post('x'.repeat(50_000))
      statuses.add(answer.status)
      await answer.body?.cancel()
    }

    await expect(body.whole()).rejects.toThrow('terminated')
    expect(statuses).toEqual(new Set([200, 503]))
    expect((await ask(url, { path: `/v1/runs/${name}` })).status).toBe(200)
    const { code, stderr } = await server.stop()
    const lines = stderr.trim().split('\n')
    expect(code).toBe(0)
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'unavailable', where: name, reason: expect.any(String) }),
    )

    const again = await started(0).ready
    const had = body.soFar()
    const last = eventsOf(had).at(-1)
    const rest = reading(await fetch(`${again}${path}`, { headers: { 'last-event-id': String(last?.id) } }))
    expect(framesOf(await rest.whole()).at(-1)?.['type']).toMatch(/^run\.(finished|failed)$/)
    const whole = await reading(await fetch(`${again}${path}`)).whole()
    expect(whole.equals(Buffer.concat([had.subarray(0, last?.end), rest.soFar()]))).toBe(true)
  }, 60_000)
})
