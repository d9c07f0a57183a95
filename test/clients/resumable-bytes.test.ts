import { describe, expect, it } from 'vitest'

import { followRun, resumableFetch } from '../../packages/client/src/index.ts'
import { eventsOf, reading } from '../support/event-stream.ts'
import { calls, says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'

/** A server whose run has ended, and what of its stream a line lets through that is cut after so many bytes. */
async function streamEvents(dialect: string) {
  const server = await openServer({
    ...scriptedModel([
      step(thinks('看看.'), says('I look.\u2028id: 99'), calls('c1', 'weather', { city: 'Tromsø' })),
      step(says('下雨 ', '☔️.')),
    ]),
    tools: [weather],
  })
  const post = new Request(`http://localhost/jobs/chat?protocol=${dialect}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Go.' }] }),
  })
  const answer = await server.fetch(post)
  const whole = await reading(answer).whole()
  const run = `http://localhost/jobs/chat/${answer.headers.get('x-run-id')}/stream?protocol=${dialect}`
  return { run, whole, server }
}

type Answer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer }

/** What the server answers to one who comes with that cursor: asked once, for it does not change any more. */
function answers({ fetch }: TestServer, run: string) {
  const answersById = new Map<string | null, Promise<Answer>>()
  const ask = async (cursor: string | null): Promise<Answer> => {
    const answer = await fetch(
      new Request(run, cursor === null ? {} : { headers: { 'last-event-id': cursor } }),
    )
    return { status: answer.status, headers: answer.headers, bytes: await reading(answer).whole() }
  }
  return (cursor: string | null): Promise<Answer> => {
    const answer = answersById.get(cursor) ?? ask(cursor)
    answersById.set(cursor, answer)
    return answer
  }
}

/** A line over which the first answer comes only as far as that, and those after it whole. */
function cutAt(ask: ReturnType<typeof answers>, bytes: number, end: 'breaks' | 'ends'): typeof fetch {
  let lines = 0
  return async (_input, init) => {
    const answer = await ask(new Headers(init?.headers).get('last-event-id'))
    lines += 1
    const through = new Uint8Array(lines === 1 ? answer.bytes.subarray(0, bytes) : answer.bytes)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(through)
        if (lines > 1 || end === 'ends') controller.close()
      },
      pull: (controller) => controller.error(new TypeError('network error')),
    })
    return new Response(answer.status === 204 ? null : body, answer)
  }
}

async function everywhere(whole: Buffer, cut: (at: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: whole.length + 1 }, (_, at) => cut(at)))
}

describe.each(['ui-message-stream', 'data-stream'])('an answer in %s', (dialect) => {
  it.each(['breaks', 'ends'] as const)(
    'is complete after any byte at which the connection %s',
    async (end) => {
      const { run, whole, server } = await streamEvents(dialect)
      await using _ = server
      const ask = answers(server, run)

      await everywhere(whole, async (at) => {
        const answer = await resumableFetch({ fetch: cutAt(ask, at, end) })(run)
        expect(await answer.text(), `cut at ${at}`).toBe(whole.toString())
      })
    },
  )
})

it('resumes an answer from a cursor after a break at any byte', async () => {
  const { run, whole, server } = await streamEvents('ui-message-stream')
  await using _ = server
  const ask = answers(server, run)
  const middle = eventsOf(whole)[7]
  const rest = whole.subarray(middle?.end)
  const headers = { 'last-event-id': String(middle?.id) }

  await everywhere(rest, async (at) => {
    const answer = await resumableFetch({ fetch: cutAt(ask, at, 'breaks') })(run, { headers })
    expect(await answer.text(), `cut at ${at}`).toBe(rest.toString())
  })
})

it('delivers the entries of a run once and in order after a break at any byte', async () => {
  const { run, whole, server } = await streamEvents('native')
  await using _ = server
  const ask = answers(server, run)
  const all = eventsOf(whole).map(({ data }) => {
    const { seq, at, ...event } = JSON.parse(data) as Record<string, unknown>
    return { seq, at, event }
  })

  await everywhere(whole, async (at) => {
    const entries = await Array.fromAsync(followRun(run, { fetch: cutAt(ask, at, 'breaks') }))
    expect(entries, `cut at ${at}`).toEqual(all)
  })
})
