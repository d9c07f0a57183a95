import { describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/events/index.ts'
import type { Protocol } from '../../packages/dragoman/src/protocols/index.ts'
import { breakOff } from '../../packages/dragoman/src/testing/script.ts'
import { eventsOf, reading } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { calls, linesOf, says, scriptedModel, step, thinks, type Piece } from '../support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { postJson } from '../support/http.ts'

/**
 * The promises to readers of a wire format who come late or come back. `body` asks in it, `chat` in the conversation
 * `chat-1`; an agent's own format is one of `protocols`.
 */
export function describeReaders(
  protocol: string,
  { body, chat, protocols = [] }: { body: Json; chat?: Json; protocols?: readonly Protocol[] },
): void {
  const own = (options: ServerOptions): ServerOptions => ({ ...options, capability: { protocols } })
  describe(`a reader of ${protocol}`, () => {
    const query = `protocol=${protocol}&ids=1`
    const post = (server: TestServer) => postJson(`${server.url}/jobs/chat?${query}`, body)

    it.each(['a run that finishes', 'a run that fails'])(
      'gets exactly the rest after a break at any byte of %s',
      async (kind) => {
        const fails = kind === 'a run that fails'
        await using server = await openServer(
          own(rich(fails ? [breakOff(new Error('gone'))] : ['好', ' ☔️.'])),
        )
        const answer = await post(server)
        const full = await reading(answer).whole()
        const after = restReader(server, `/v1/runs/${answer.headers.get('x-run-id')}/events?${query}`)
        expect(eventsOf(full).every(({ id }) => id !== undefined)).toBe(true)
        expect(new Set(eventsOf(full).map(({ id }) => id)).size).toBe(eventsOf(full).length)

        for (let cut = 0; cut <= full.length; cut++) {
          const last = eventsOf(full.subarray(0, cut)).at(-1)
          const rest = await after(last?.id)
          if (!full.subarray(0, last?.end ?? 0).equals(full.subarray(0, full.length - rest.length))) {
            expect.fail(`cut at ${cut}, after ${last?.id}: the kept bytes are not what comes before the rest`)
          }
          expect(rest.equals(full.subarray(last?.end ?? 0)), `the rest after ${last?.id}`).toBe(true)
        }
      },
    )

    it('gets nothing after the end, and an error for a cursor beyond it', async () => {
      await using server = await openServer(own(rich(['.'])))
      const answer = await post(server)
      const last = Number.parseInt(eventsOf(await reading(answer).whole()).at(-1)?.id ?? '', 10)
      const events = `${server.url}/v1/runs/${answer.headers.get('x-run-id')}/events?${query}`

      const end = await fetch(events, { headers: { 'last-event-id': String(last) } })
      const ahead = await fetch(events, { headers: { 'last-event-id': String(last + 1) } })

      expect([end.status, await end.text()]).toEqual([204, ''])
      expect(ahead.status).toBe(409)
      expect(await ahead.json()).toMatchObject({
        code: 'cursor-ahead',
        runId: answer.headers.get('x-run-id'),
        last,
      })
    })

    it('is refused for good with a cursor of another log, also at its end', async () => {
      await using server = await openServer(own(rich(['.'])))
      const answer = await post(server)
      const ids = eventsOf(await reading(answer).whole()).map(({ id }) => String(id))
      const runId = answer.headers.get('x-run-id')
      const events = `${server.url}/v1/runs/${runId}/events?${query}`

      for (const id of [ids[0], ids[Math.floor(ids.length / 2)], ids.at(-1)]) {
        const foreign = String(id).replace(/-\w+$/, '-restored')
        const refused = await fetch(events, { headers: { 'last-event-id': foreign.slice(0, -1) } })
        expect([id, refused.status, await refused.json()]).toMatchObject([
          id,
          409,
          { code: 'cursor-unknown', runId, history: expect.stringMatching(/^\/v1\/threads\/conv_/) },
        ])
      }
    })

    it('learns the event after which its stream begins', async () => {
      await using server = await openServer(own(rich(['.'])))
      const answer = await post(server)
      await reading(answer).whole()
      const events = `${server.url}/v1/runs/${answer.headers.get('x-run-id')}/events?${query}`
      const begins = async (headers: Record<string, string>) =>
        (await fetch(events, { method: 'HEAD', headers })).headers.get('x-after')

      expect(answer.headers.get('x-after')).toBeNull()
      expect(await begins({})).toBeNull()
      expect(await begins({ 'last-event-id': '3' })).toMatch(/^3-\w+$/)
      expect(await begins({ 'last-event-id': '3.1' })).toMatch(/^3\.1-\w+$/)
    })

    it('gets the same bytes as the first reader when it joins in the middle', async () => {
      const held = gate()
      await using server = await openServer(own(rich([held, '好', ' ☔️.'])))
      const answer = await post(server)
      const events = `${server.url}/v1/runs/${answer.headers.get('x-run-id')}/events?${query}`
      const first = reading(answer)
      const soFar = await first.until('下雨')
      const cursors = eventsOf(soFar)
      const middle = cursors[Math.floor(cursors.length / 2)]
      const last = cursors.at(-1)

      const secondReader = reading(await fetch(events))
      await secondReader.until('下雨')
      const back = reading(await fetch(events, { headers: { 'last-event-id': String(middle?.id) } }))
      await back.until('下雨')
      const ahead = await fetch(events, { headers: { 'last-event-id': '1000' } })
      const waiting = fetch(events, { headers: { 'last-event-id': String(last?.id) } })
      held.open()
      const full = await first.whole()

      expect(full.length).toBeGreaterThan(soFar.length)
      expect((await secondReader.whole()).toString()).toBe(full.toString())
      expect((await back.whole()).toString()).toBe(full.subarray(middle?.end).toString())
      expect((await reading(await waiting).whole()).toString()).toBe(full.subarray(last?.end).toString())
      expect(ahead.status).toBe(409)
    })

    it('has the whole answer after several reconnects', async () => {
      const gates = [gate(), gate(), gate()] as const
      await using server = await openServer(
        own(rich([gates[0], ' and', gates[1], ' on', gates[2], ' and on.'])),
      )
      const answer = await post(server)
      const runId = answer.headers.get('x-run-id')
      let line = reading(answer)
      let received = Buffer.alloc(0)

      for (const [index, words] of ['下雨', ' and', ' on'].entries()) {
        const bytes = Buffer.concat([received, await line.until(words)])
        await line.leave()
        const last = eventsOf(bytes).at(-1)
        received = bytes.subarray(0, last?.end)
        gates[index]?.open()
        const headers = { 'last-event-id': String(last?.id) }
        line = reading(await fetch(`${server.url}/v1/runs/${runId}/events?${query}`, { headers }))
      }

      const whole = Buffer.concat([received, await line.whole()])
      const full = await reading(await fetch(`${server.url}/v1/runs/${runId}/events?${query}`)).whole()
      expect(whole.toString()).toBe(full.toString())
    })

    it.runIf(chat)('resumes a chat in its own format by Last-Event-ID, also after the end', async () => {
      const { models, prompts, ...rest } = rich([' 了.'])
      await using server = await openServer(own({ models, ...rest }))
      const question = chat
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/jobs/chat?ids=1`, {
        method: 'POST',
        headers,
        body: JSON.stringify(question),
      })
      const full = await reading(answer).whole()
      const [first] = eventsOf(full)

      const again = await fetch(`${server.url}/jobs/chat/chat-1/stream?ids=1`, {
        headers: { 'last-event-id': String(first?.id) },
      })

      expect((await reading(again).whole()).toString()).toBe(full.subarray(first?.end).toString())
      expect(linesOf(prompts[0])).toEqual(['user: Go.'])
    })
  })
}

/** A run with reasoning, two parallel calls, one of them denied, and a multi-byte text that ends with `end`. */
function rich(end: readonly Piece[]) {
  return {
    ...scriptedModel([
      step(
        thinks('Let me ', 'see… 看看.'),
        says('I look.'),
        calls('c1', 'weather', { city: 'Tromsø' }),
        calls('c2', 'teleport', { to: '火星' }),
      ),
      step(thinks('Rain.'), says('Es regnet, ', '下雨', ...end)),
    ]),
    tools: [weather],
  }
}

/** What comes after a cursor, asked once for each, without the network. */
function restReader(server: TestServer, path: string) {
  const tailsByCursor = new Map<string | undefined, Promise<Buffer>>()
  const ask = async (id: string | undefined): Promise<Buffer> => {
    const headers = id === undefined ? undefined : { 'last-event-id': id }
    const answer = await server.fetch(new Request(`http://localhost${path}`, { ...(headers && { headers }) }))
    return reading(answer).whole()
  }
  return (id: string | undefined): Promise<Buffer> => {
    const rest = tailsByCursor.get(id) ?? ask(id)
    tailsByCursor.set(id, rest)
    return rest
  }
}
