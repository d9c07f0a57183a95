import { HttpAgent as Newest } from '@ag-ui/client'
import { HttpAgent as Older } from 'ag-ui-client-0-0-59'

import { eventsOf } from '../support/event-stream.ts'
import type { Event, AgUiRun } from './ag-ui-agent.ts'

/** What a client of AG-UI that read along has: its messages, and how each of its runs began and ended. */
export type FollowedRun = { readonly messages: readonly AgUiRun[]; readonly ends: readonly Event[] }

type Fetch = () => Promise<Response>

/** The client of each generation, which posts nothing: what it reads is a run that was asked for elsewhere. */
export const followersByVersion = {
  '1.0.0': {
    query: '&protocolVersion=1.0',
    open: (url: string, fetch: Fetch) => new Newest({ url, fetch }),
  },
  '0.0.59': { query: '', open: (url: string, fetch: Fetch) => new Older({ url, fetch }) },
}
export type Generation = keyof typeof followersByVersion

/**
 * Reads a run to its end. Where the run waits, the client reconnects with its last cursor. After the text `cutAt` the
 * connection breaks, and the client reconnects in the same way.
 */
export async function followRun(
  generation: Generation,
  { url, runId, cutAt }: { readonly url: string; readonly runId: string; readonly cutAt?: string },
): Promise<FollowedRun> {
  const { query, open } = followersByVersion[generation]
  const address = `${url}/v1/runs/${runId}/events?protocol=ag-ui${query}`
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = async (): Promise<Response> =>
    new Response(ReadableStream.from(bodies(address, cutAt)), { headers })
  const agent = open(address, fetch)
  const ends: Event[] = []
  const note = ({ event }: { event: object }): void => void ends.push(event as Event)
  await agent.runAgent({}, { onRunStartedEvent: note, onRunFinishedEvent: note, onRunErrorEvent: note })
  return { messages: agent.messages as AgUiRun[], ends }
}

/** The run's bodies, one after the other, until there is no more: of a cut one its whole events. */
async function* bodies(address: string, cutAt: string | undefined): AsyncGenerator<Uint8Array> {
  let after: string | undefined
  let cut = cutAt
  for (;;) {
    const response = await fetch(address, after === undefined ? {} : { headers: { 'last-event-id': after } })
    if (response.status === 204) return
    if (!response.ok) throw new Error(`It was refused: ${response.status} ${await response.text()}`)
    let rest = Buffer.alloc(0)
    for await (const bytes of response.body ?? []) {
      rest = Buffer.concat([rest, bytes])
      const events = eventsOf(rest)
      const whole = events.at(-1)?.end ?? 0
      after = events.findLast(({ id }) => id !== undefined)?.id ?? after
      yield rest.subarray(0, whole)
      const isCut = cut !== undefined && rest.includes(cut, 0)
      rest = rest.subarray(whole)
      if (!isCut) continue
      cut = undefined
      break
    }
  }
}
