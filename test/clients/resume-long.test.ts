import { expect, it } from 'vitest'

import { eventsOf, reading } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { chatRequest, postJson } from '../support/http.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'

const CALLS = 150

it.each(['ui-message-stream', 'ag-ui', 'native'])(
  'readers of a long run in %s read the same bytes from any cursor',
  async (protocol) => {
    const held = gate()
    const cities = Array.from({ length: CALLS }, (_, index) =>
      calls(`c${index}`, 'weather', { city: `Øy ${index}` }),
    )
    const { models } = scriptedModel([step(...cities), step(says('All ', 'seen', held, ', ', 'well.'))])
    await using server = await openServer({ models, tools: [weather] })
    const query = `protocol=${protocol}&ids=1`
    const answer = await postJson(`${server.url}/jobs/chat`, chatRequest('Go.'))
    const events = `${server.url}/v1/runs/${answer.headers.get('x-run-id')}/events?${query}`
    await reading(answer).until('seen')

    // Far behind first, so that the live end that they share begins after them.
    const first = reading(await fetch(events))
    const soFar = eventsOf(await first.until('seen'))
    const places = [1, 50, 201, 400, soFar.length - 1].flatMap((index) => soFar[index] ?? [])
    const others = await Promise.all(
      places.map(async ({ id = '', end }) => ({
        end,
        line: reading(await fetch(events, { headers: { 'last-event-id': id } })),
      })),
    )
    held.open()
    const full = await first.whole()

    expect(soFar.length).toBeGreaterThan(2 * CALLS)
    for (const { end, line } of others) {
      expect(withoutBeats(await line.whole())).toBe(withoutBeats(full.subarray(end)))
    }
    expect(withoutBeats(await reading(await fetch(events)).whole())).toBe(withoutBeats(full))
  },
)

/** A reader who waits for a first byte on a busy machine gets a heartbeat. */
function withoutBeats(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replaceAll(/^: .*\n\n/gm, '')
}
