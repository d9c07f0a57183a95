import { describe, expect, it } from 'vitest'

import type { Run, RunEvent } from '../../events/index.ts'
import { runLog, type RunLog, type Store } from '../../log/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { native } from '../../protocols/index.ts'
import { memoryNotifier, memoryStore } from '../../stores/memory/index.ts'
import { startCursor, type Cursor } from './cursor.ts'
import type { Feed } from './feed.ts'
import { createFanOut, type FanOut } from './index.ts'

const delta = (text: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta: text })
const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 0, outputTokens: 0 },
}

type Harness = { store: Store; log: RunLog; readers: FanOut; encoded: () => number }

async function createHarness(): Promise<Harness & { open: () => Promise<Feed> }> {
  const store = memoryStore()
  const log = runLog(store, memoryNotifier())
  const { run } = await store.create(newRun('run_1'), 'reject')
  const readers = createFanOut({ store, log })
  let encoded = 0
  const protocol = {
    ...native,
    encoder: (start: Parameters<typeof native.encoder>[0]) => {
      const encode = native.encoder(start)
      return (entry: Parameters<typeof encode>[0]) => {
        encoded += 1
        return encode(entry)
      }
    },
  }
  const open = () => readers.open({ run, protocol, view: {}, numbered: true })
  return { store, log, readers, encoded: () => encoded, open }
}

async function* chunks(feed: Feed): AsyncGenerator<string, void> {
  for (let chunk = feed.take(); chunk !== 'end'; chunk = feed.take()) {
    if (chunk === 'wait') await new Promise<void>((resolve) => feed.whenMore(resolve))
    else yield new TextDecoder().decode(chunk)
  }
  feed.close()
}

async function readAll(feed: Feed): Promise<string> {
  let text = ''
  for await (const chunk of chunks(feed)) text += chunk
  return text
}

describe('fan-out', () => {
  it('encodes each entry once for all live readers', async () => {
    const { log, open, encoded } = await createHarness()
    const reading = [await open(), await open(), await open()].map(readAll)

    for (const text of 'abc') await log.append('run_1', [delta(text)])
    await log.append('run_1', [finished])

    const [first, ...others] = await Promise.all(reading)
    expect(others).toEqual([first, first])
    expect(encoded()).toBe(5)
  })

  it('serves a stalled reader from the log in pages, then from the live end', async () => {
    const { log, open } = await createHarness()
    const [stalled, steady] = [await open(), await open()]
    const slowly = chunks(stalled)
    const first = await slowly.next()
    const reading = readAll(steady)
    // Far more than the sliding window holds.
    for (let n = 0; n < 1000; n++) await log.append('run_1', [delta(`${n} ${'x'.repeat(1000)}`)])
    await log.append('run_1', [finished])

    let largest = 0
    let text = first.value ?? ''
    for await (const chunk of slowly) {
      largest = Math.max(largest, chunk.length)
      text += chunk
    }

    expect(text).toBe(await reading)
    expect(largest).toBeLessThan(300_000)
  })

  it('keeps the run and other readers when a reader closes', async () => {
    const { log, store, open } = await createHarness()
    const leaver = await open()
    const reading = readAll(leaver)
    const staying = readAll(await open())
    await log.append('run_1', [delta('a')])

    leaver.close()
    await reading
    await log.append('run_1', [delta('b'), finished])

    expect(await staying).toContain('"b"')
    expect((await store.get('run_1'))?.status).toBe('finished')
  })

  it('fails live readers when the run can no longer write', async () => {
    const { log, readers, open } = await createHarness()
    const reading = readAll(await open())
    await log.append('run_1', [delta('a')])

    readers.disconnectReaders('run_1')

    await expect(reading).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('lets later readers follow the log after live readers were failed', async () => {
    const { log, readers, open } = await createHarness()
    const stalled = await open()
    readers.disconnectReaders('run_1')

    const reading = readAll(await open())
    await log.append('run_1', [delta('a'), finished])

    expect(await reading).toContain('"a"')
    stalled.close()
  })

  it('ends a body where the run waits, if the protocol says so', async () => {
    const { store, log, readers } = await createHarness()
    const parked: RunEvent[] = [
      { type: 'tool.asked', callId: 'run_1.2', question: { kind: 'approval' } },
      { type: 'run.waiting', calls: ['run_1.2'] },
    ]
    const protocol = { ...native, endsAtWaiting: true }
    const read = async (run: Run, after: Cursor): Promise<string> =>
      readAll(await readers.open({ run, protocol, view: {}, numbered: true, after }))
    await log.append('run_1', [delta('a')])
    const early = (await store.get('run_1')) as Run
    await log.append('run_1', [...Array.from({ length: 196 }, () => delta('b')), ...parked])

    const inTheMiddle = await read(early, { seq: 1, frames: 1 })
    await log.append('run_1', [{ type: 'run.resumed', because: 'answer', attempt: 0 }])
    await log.append('run_1', [...Array.from({ length: 300 }, () => delta('c')), ...parked])
    const again = await read((await store.get('run_1')) as Run, startCursor)

    expect(inTheMiddle.match(/^id/gm)).toHaveLength(199)
    expect(again.match(/^id/gm)).toHaveLength(503)
    expect(again).toMatch(/run\.waiting.*\n\n$/)
  })

  it('refuses a cursor beyond the log', async () => {
    const { readers, store } = await createHarness()
    const run = await store.get('run_1')
    if (!run) throw new Error('no run')
    const reading = { run, protocol: native, view: {}, numbered: true }

    for (const after of [
      { seq: 2, frames: 0 },
      { seq: 1, frames: 1 },
    ]) {
      await expect(readers.open({ ...reading, after })).rejects.toMatchObject({ code: 'cursor-ahead' })
    }
  })
})
