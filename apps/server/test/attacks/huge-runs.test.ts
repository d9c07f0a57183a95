import { describe, expect, it } from 'vitest'

import type { RunEvent } from '../../../../packages/dragoman/src/index.ts'
import { newRun } from '../../../../packages/dragoman/src/log/store-claims.contract.ts'
import { openHomeStorage } from '../../../../test/support/home-storage.ts'
import { isFull } from '../../../../test/support/is-full.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { ask } from '../../../../test/support/wire.ts'

const house = useProcesses()

const MB = 1_000_000
/** A process of another machine that is gone. */
const DEAD_OWNER = 'elsewhere/1/a/a'
const RUN = 'run_huge-0000001'
const text = (length: number): RunEvent => ({
  type: 'text.delta',
  partId: `${RUN}.1`,
  delta: 'word '.repeat(length / 5),
})
const outcome = (n: number, length: number): RunEvent[] => [
  { type: 'tool.called', callId: `${RUN}.${n}`, tool: 'look', input: {} },
  { type: 'tool.returned', callId: `${RUN}.${n}`, output: null, text: 'word '.repeat(length / 5) },
]
const usage = { inputTokens: 1, outputTokens: 1 }

type Log = { readonly what: string; readonly batches: () => Iterable<RunEvent[]> }

/** Each takes minutes, so one of many entries and one of a single entry are tried of both kinds of runs. */
const LIVE_LOGS: readonly Log[] = [
  {
    what: '500 MB of words',
    *batches() {
      for (let n = 0; n < 500; n += 1) yield Array.from({ length: 10 }, () => text(MB / 10))
    },
  },
  {
    what: 'one outcome of 100 MB',
    *batches() {
      yield outcome(2, 100 * MB)
    },
  },
]
const ENDED_LOGS: readonly Log[] = [
  {
    what: '500 MB of outcomes',
    *batches() {
      for (let n = 0; n < 500; n += 1) yield outcome(n + 2, MB)
    },
  },
  {
    what: 'one entry of 100 MB',
    *batches() {
      yield [text(100 * MB)]
    },
  },
]

describe.runIf(isFull)('a home with a run that is too large for the heap', () => {
  const start = () =>
    house.start(['--port', '0', '--home', house.home, '--log-level', 'error'], {
      NODE_OPTIONS: '--max-old-space-size=512',
      DRAGOMAN_OFFLINE_PACE: '0',
    })
  const json = async (url: string, method: string, path: string, body?: object) => {
    const answer = await ask(url, { method, path, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, body: JSON.parse(answer.text) as Record<string, unknown> }
  }
  /** A conversation, made by the server itself. */
  const openThread = async (): Promise<string> => {
    const first = start()
    const { body } = await json(await first.ready, 'POST', '/v1/threads', { agent: 'assistant' })
    await first.stop()
    return String(body['id'])
  }
  const write = async (threadId: string, { batches }: Log, end: RunEvent[]): Promise<void> => {
    const { store, close } = await openHomeStorage(house.home)
    const run = newRun(RUN, { threadId, userId: 'local', agent: 'assistant', messageId: 'msg_huge-0000001' })
    await store.create(
      { ...run, request: { ...run.request, messageId: 'msg_user-0000001' } },
      'reject',
      DEAD_OWNER,
    )
    await store.append(RUN, [
      { type: 'step.started', model: 'm' },
      { type: 'text.started', partId: `${RUN}.1` },
    ])
    for (const events of batches()) await store.append(RUN, events)
    if (end.length > 0) await store.append(RUN, end)
    await close()
  }

  it.each(LIVE_LOGS)(
    'starts in 512 MB, ends the run, and its conversation goes on: $what',
    async (log) => {
      const threadId = await openThread()
      await write(threadId, log, [])
      const server = start()
      const url = await server.ready
      const runs = async () => (await json(url, 'GET', '/v1/runs')).body['runs']

      await expect.poll(runs, { timeout: 60_000 }).toMatchObject([{ id: RUN, status: 'failed' }])
      const messages = `/v1/threads/${threadId}/messages`
      expect(JSON.stringify((await json(url, 'GET', messages)).body)).toContain('This answer was too large')
      const next = await json(url, 'POST', `/v1/threads/${threadId}/runs`, {
        message: 'Hello?',
        stream: false,
      })
      expect(next.status).toBe(200)
      // Readers of the run itself get what fits, or an error, and end nothing else.
      for (const path of [`/v1/runs/${RUN}`, `/v1/threads/${threadId}/export`])
        await ask(url, { path }).catch(() => undefined)
      expect((await json(url, 'GET', '/health')).status).toBe(200)
      expect(await server.stop()).toMatchObject({ code: 0 })
    },
    180_000,
  )

  it.each(ENDED_LOGS)(
    'starts in 512 MB where the run had ended before it was in the conversation, and packs it: $what',
    async (log) => {
      const threadId = await openThread()
      await write(threadId, log, [{ type: 'run.finished', reason: 'stop', usage }])
      const server = start()
      const url = await server.ready

      const messages = `/v1/threads/${threadId}/messages`
      await expect
        .poll(async () => JSON.stringify((await json(url, 'GET', messages)).body), { timeout: 30_000 })
        .toContain('This answer was too large')
      expect(await server.stop()).toMatchObject({ code: 0 })

      const { store, close } = await openHomeStorage(house.home)
      const before = Date.now() + 1000
      expect(await store.backlog(before)).toMatchObject({ unpacked: 1 })
      while (await store.pack(before));
      expect(await store.backlog(before)).toMatchObject({ unpacked: 0 })
      const entries = await store.read(RUN, 0, { limit: 10, maxBytes: 2 * MB })
      await close()
      expect(entries[0]?.event.type).toBe('run.started')
    },
    240_000,
  )
})
