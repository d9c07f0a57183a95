import { describe, expect, it } from 'vitest'

import { paceStream } from './pace-stream.ts'
import { workFor } from './work-for.ts'

const CHUNK = 65_536

/** A body of so many bytes that have all arrived. */
function body(bytes: Uint8Array, chunk = CHUNK): ReadableStream<Uint8Array> {
  let offset = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (offset >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(offset, offset + chunk))
        offset += chunk
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads several bodies at once. Returns the pieces of each, and the most bytes that came in a turn of the loop. */
async function readAll(bodies: readonly { user: string; body: ReadableStream<Uint8Array> }[]) {
  let inTurn = 0
  let mostInTurn = 0
  let isOver = false
  const turn = (): void => {
    inTurn = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const pieces = await Promise.all(
    bodies.map(async ({ user, body: each }) => {
      const own: Uint8Array[] = []
      for await (const piece of workFor(user, () => paceStream(each))) {
        own.push(piece)
        inTurn += piece.length
        mostInTurn = Math.max(mostInTurn, inTurn)
      }
      return own
    }),
  )
  isOver = true
  return { pieces, mostInTurn }
}

const tiny = new Uint8Array(Buffer.from('data: 1\n\n'.repeat(40_000)))

describe('a paced stream', () => {
  it.each(['\n', '\r', '\r\n'])(
    'passes on tiny events a few in a turn, with lines that end in %j',
    async (end) => {
      const bytes = new Uint8Array(Buffer.from(`data: 1${end}${end}`.repeat(40_000)))
      const { pieces, mostInTurn } = await readAll([{ user: 'ada', body: body(bytes) }])

      expect(Buffer.concat(pieces.flat()).equals(bytes)).toBe(true)
      expect(mostInTurn).toBeLessThan(10_000)
    },
  )

  it('passes on no more in a turn if a user reads many', async () => {
    const { mostInTurn } = await readAll(
      Array.from({ length: 16 }, () => ({ user: 'ada', body: body(tiny) })),
    )

    expect(mostInTurn).toBeLessThan(10_000)
  })

  it('lets a user who reads one thing pass those of a user who reads many', async () => {
    const order: string[] = []
    const read = async (user: string, bytes: Uint8Array): Promise<void> => {
      await workFor(user, () => new Response(paceStream(body(bytes)))).arrayBuffer()
      order.push(user)
    }
    const many = Array.from({ length: 8 }, () => read('ada', tiny))
    await Promise.all([...many, read('bob', tiny.slice(0, tiny.length / 2))])

    expect(order[0]).toBe('bob')
  })

  it('leaves a stream at a usual pace as it is, in the same turn', async () => {
    const source = new TransformStream<Uint8Array, Uint8Array>()
    // A user who has read nothing in the tests before.
    const reader = workFor('eve', () => paceStream(source.readable)).getReader()
    const writer = source.writable.getWriter()
    let hasTurned = false
    setImmediate(() => (hasTurned = true))
    void writer.write(new Uint8Array(300))

    expect((await reader.read()).value).toHaveLength(300)
    expect(hasTurned).toBe(false)
  })

  it('does not cut a line', async () => {
    const line = new Uint8Array(CHUNK).fill(120)
    const { pieces } = await readAll([{ user: 'ada', body: body(line) }])

    expect(pieces.flat().map(({ length }) => length)).toEqual([CHUNK])
  })

  it('passes on the error of a body, and cancels it', async () => {
    let reason: unknown
    const failing = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error('gone')),
    })
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(tiny.slice(0, CHUNK)),
      cancel: (why) => void (reason = why),
    })
    const reader = paceStream(endless).getReader()
    for (let count = 0; count < 3; count++) await reader.read()
    const last = reader.read()
    await reader.cancel('enough')

    await expect(paceStream(failing).getReader().read()).rejects.toThrow('gone')
    expect(await last).toMatchObject({ done: true })
    expect(reason).toBe('enough')
  })
})
