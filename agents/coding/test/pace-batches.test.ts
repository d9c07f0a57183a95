import { describe, expect, it } from 'vitest'

import type { Json, Run, RunEvent } from '../../../packages/dragoman/src/events/index.ts'
import { runLog } from '../../../packages/dragoman/src/log/index.ts'
import { newRun } from '../../../packages/dragoman/src/log/store-claims.contract.ts'
import { envelope } from '../src/protocols/envelope/index.ts'
import type { Envelope } from '../src/protocols/envelope/wire.ts'
import { memoryNotifier, memoryStore } from '../../../packages/dragoman/src/stores/memory/index.ts'
import type { Cursor } from '../../../packages/dragoman/src/server/fan-out/cursor.ts'
import type { Feed } from '../../../packages/dragoman/src/server/fan-out/feed.ts'
import { createFanOut } from '../../../packages/dragoman/src/server/fan-out/index.ts'

const usage = { inputTokens: 0, outputTokens: 0 }
const started: RunEvent = { type: 'text.started', partId: 'p' }
const ended: RunEvent = { type: 'text.ended', partId: 'p' }
const say = (delta: string): RunEvent => ({ type: 'text.delta', partId: 'p', delta })
const finished: RunEvent = { type: 'run.finished', reason: 'stop', usage }
const PACE_MS = 40

/** A run that is read in full envelopes. It counts how often one is written. */
async function rig(more: object = {}) {
  const store = memoryStore()
  const log = runLog(store, memoryNotifier())
  await store.create(newRun('run_1'), 'reject')
  const readers = createFanOut({ store, log })
  let frames = 0
  const protocol = {
    ...envelope,
    encoder: (start: Parameters<typeof envelope.encoder>[0]) => {
      const encode = envelope.encoder(start)
      return (...given: Parameters<typeof encode>) => {
        const batch = encode(...given)
        frames += batch.length
        return batch
      }
    },
  }
  const view: Json = { responseMode: 'full', ...more }
  const open = async (after?: Cursor): Promise<Feed> => {
    const run = (await store.get('run_1')) as Run
    return readers.open({ run, protocol, view, numbered: true, ...(after && { after }) })
  }
  return {
    open,
    append: (...events: RunEvent[]) => log.append('run_1', events),
    frameCount: () => frames,
  }
}

type TimedFrame = { readonly id: number; readonly at: number } & Envelope

/** Reads what comes until there is no more, or `enough` has come. */
async function readFrames(
  feed: Feed,
  enough: (frame: TimedFrame) => boolean = () => false,
): Promise<TimedFrame[]> {
  const all: TimedFrame[] = []
  for (let chunks = feed.take(); chunks !== 'end'; chunks = feed.take()) {
    if (chunks === 'wait') {
      await new Promise<void>((resolve) => feed.whenMore(resolve))
      continue
    }
    const text = new TextDecoder().decode(chunks)
    for (const [, id, data] of text.matchAll(/^id: (\d+).*\ndata: (.*)$/gm))
      all.push({ id: Number(id), at: performance.now(), ...(JSON.parse(data ?? '') as Envelope) })
    if (all.some(enough)) break
  }
  feed.close()
  return all
}

const textOf = ({ messages }: Envelope): unknown => messages[0]?.value

describe('full envelopes', () => {
  it('come at most 25 times a second and include the last', async () => {
    const { open, append, frameCount: written } = await rig()
    const reading = readFrames(await open())
    const began = performance.now()
    await append(started)
    let text = ''
    while (written() < 6) {
      await append(say('字'))
      text += '字'
      await new Promise((resolve) => setImmediate(resolve))
    }
    await append(ended, finished)

    const frames = await reading
    const took = performance.now() - began
    expect(frames.length).toBeLessThanOrEqual(took / PACE_MS + 2)
    expect(written()).toBe(frames.length)
    expect(frames.at(-1)).toMatchObject({ msgStatus: 'finished', messages: [{ value: text }] })
    expect(frames.filter(({ msgStatus }) => msgStatus === 'finished')).toHaveLength(1)
  })

  it('are encoded once for concurrent readers', async () => {
    const { open, append, frameCount: written } = await rig()
    const reading = [await open(), await open(), await open()].map((feed) => readFrames(feed))
    await append(started, say('a'))
    await append(say('b'), ended, finished)

    const all = await Promise.all(reading)
    expect(all.map((frames) => frames.map(({ id }) => id))).toEqual(
      all.map(() => all[0]?.map(({ id }) => id)),
    )
    expect(written()).toBe(all[0]?.length)
  })

  it('are one frame for a reader that stalled', async () => {
    const { open, append } = await rig()
    const [stalled, steady] = [await open(), await open()]
    const first = await readFrames(stalled, ({ id }) => id === 1).then(() => open({ seq: 1, frames: 0 }))
    const reading = readFrames(steady)
    await append(started)
    for (let count = 0; count < 500; count++) await append(say('x'.repeat(1000)))
    await append(ended, finished)
    await reading

    const frames = await readFrames(first)
    expect(frames).toHaveLength(1)
    expect(frames[0]).toMatchObject({ msgStatus: 'finished', messages: [{ status: 'generated' }] })
  })

  it('are one frame for a late or returning reader', async () => {
    const { open, append } = await rig()
    await append(started, ...Array.from({ length: 1000 }, () => say('x')))
    const live = await readFrames(await open(), () => true)
    const back = await readFrames(await open({ seq: 700, frames: 0 }), () => true)
    await append(ended, finished)
    const late = await readFrames(await open())

    expect(live.map(textOf)).toEqual(['x'.repeat(1000)])
    expect(back.map(textOf)).toEqual(['x'.repeat(1000)])
    expect(late.map(({ msgStatus }) => msgStatus)).toEqual(['finished'])
  })

  it('show the question of a waiting run, and come only with news', async () => {
    const { open, append, frameCount: written } = await rig()
    const reading = readFrames(await open(), ({ messages }) => messages.length === 2)
    const callId = 'c'
    await append({ type: 'tool.called', callId, tool: 't', input: {} })
    await append({ type: 'tool.asked', callId, question: { kind: 'approval' } })
    await append({ type: 'run.waiting', calls: [callId] })
    const frames = await reading
    const later = await open()
    const again = await readFrames(later, ({ messages }) => messages.length === 2)

    expect(frames.at(-1)?.messages[1]).toMatchObject({ type: 'tool_question', status: 'generating' })
    expect(again).toHaveLength(1)
    expect(written()).toBe(frames.length + 1)
  })

  it('keep every legacy frame', async () => {
    const { open, append } = await rig({ legacyEvents: true })
    await append(started, ...Array.from({ length: 500 }, () => say('x')))
    const live = readFrames(await open())
    await append(ended, finished)
    const late = readFrames(await open())

    for (const frames of await Promise.all([live, late])) {
      expect(frames[0]).toMatchObject({ type: 'connected' })
      expect(frames.at(-2)).toMatchObject({ msgStatus: 'finished' })
      expect(frames.at(-1)).toMatchObject({ type: 'stream_end' })
    }
  })

  it('leave no timer behind when their last reader leaves', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const { open, append } = await rig()
    const feed = await open()
    await append(started, say('a'))
    await new Promise<void>((resolve) => feed.whenMore(resolve))
    feed.take()
    expect(timers()).toBe(before + 1)
    feed.close()
    await new Promise((resolve) => setImmediate(resolve))

    expect(timers()).toBe(before)
  })

  it('have no frame count', async () => {
    const { open } = await rig()
    const store = memoryStore()
    const { run } = await store.create(newRun('run_2'), 'reject')
    const readers = createFanOut({ store, log: runLog(store, memoryNotifier()) })
    const reading = { run, protocol: envelope, view: { responseMode: 'full' }, numbered: true }
    ;(await open()).close()

    await expect(readers.findChunk(reading, 3)).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(readers.findChunk({ ...reading, view: {} }, 1)).resolves.toMatchObject({ lastIndex: 0 })
  })
})
