import { describe, expect, it, vi } from 'vitest'

import { DEFAULT_RESPONSE_LIMITS, limitResponses } from './limit-responses.ts'

const delta = (fields: object): string => `data: ${JSON.stringify({ choices: [{ delta: fields }] })}\n\n`

/** Answers with 256 kB of one piece, as fast as it is read. */
function flood(piece: string): typeof fetch {
  const chunk = Buffer.from(piece.repeat(65_536 / piece.length))
  return async () => {
    let count = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (++count > 4 ? controller.close() : controller.enqueue(chunk)),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

it.each([
  ['words', delta({ content: 'a' })],
  ['reasoning', delta({ reasoning_content: 'a' })],
  ['the input of a call', delta({ tool_calls: [{ index: 0, function: { arguments: '1' } }] })],
  ['empty events', delta({})],
  ['events that are none', 'data:1\n\n'],
  ['comments', ':\n\n'],
])('passes on few tiny events in a turn of the event loop, of eight answers: %s', async (_what, piece) => {
  const send = limitResponses(flood(piece), DEFAULT_RESPONSE_LIMITS)
  let inTurn = 0
  let mostInTurn = 0
  let isOver = false
  const turn = (): void => {
    inTurn = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const read = async (): Promise<void> => {
    for await (const bytes of (await send('http://provider')).body ?? []) {
      inTurn += bytes.length
      mostInTurn = Math.max(mostInTurn, inTurn)
    }
  }
  await Promise.all(Array.from({ length: 8 }, read))
  isOver = true

  expect(mostInTurn).toBeGreaterThan(0)
  expect(mostInTurn).toBeLessThan(10_000)
})

describe('an answer with too many values', () => {
  const answer = (body: string, type: string): typeof fetch => {
    return async () => new Response(body, { headers: { 'content-type': type } })
  }
  const read = async (body: string, type: string): Promise<string> =>
    (await limitResponses(answer(body, type), DEFAULT_RESPONSE_LIMITS)('http://provider')).text()
  const many = JSON.stringify(Array.from({ length: 60_000 }, () => []))
  const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`k${n}`, 1])))

  it.each([
    ['an event', `data: {}\n\ndata: ${many}\n\n`, 'text/event-stream', 'more than 50000 values'],
    ['a JSON answer', many, 'application/json', 'more than 50000 values'],
    ['an object', `data: ${keys}\n\n`, 'text/event-stream', 'an object of more than 5000 keys'],
  ])('is refused before it is parsed: %s', async (_what, body, type, problem) => {
    await expect(read(body, type)).rejects.toMatchObject({
      code: 'model-refused',
      message: expect.stringContaining(problem),
    })
  })

  it('is not one of many events', async () => {
    const body = `: "\n\n${delta({ content: 'a' }).repeat(60_000)}`
    expect((await read(body, 'text/event-stream')).length).toBe(body.length)
  })
})

describe('the body of a failure', () => {
  type Pull = (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>
  const failing = (pull: Pull) =>
    limitResponses(
      async () => new Response(new ReadableStream({ pull }), { status: 500 }),
      DEFAULT_RESPONSE_LIMITS,
    )

  it('is read for ten seconds, however slowly it comes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const drip = failing(async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 4000))
      controller.enqueue(Buffer.from('no '))
    })
    const text = (await drip('http://provider')).text()
    await vi.advanceTimersByTimeAsync(9000)
    await vi.advanceTimersByTimeAsync(1000)

    expect(await text).toBe('no no ')
    vi.useRealTimers()
  })

  it('is read up to 64 kB, however fast it comes', async () => {
    const flooding = failing((controller) => controller.enqueue(Buffer.alloc(50_000, 'x')))

    expect((await (await flooding('http://provider')).text()).length).toBe(65_536)
  })
})
