import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { fingerprint } from '../play-run.ts'
import { createRetryingNetwork } from '../retrying-network.ts'
import { wholeOf } from '../read-run.ts'
import { createNodes, followRun, sendMessage } from '../server-api.ts'
import type { ServerNode } from '../server-node.ts'
import { toMessage, wholeText, type Story } from '../story.ts'
import { entryOf, LOG_PROTOCOL, wireFormatOf } from '../wire-formats.ts'
import { openDatabase, type ChaosDatabase } from './database.ts'
import { hasPostgres } from './postgres-binaries.ts'

const STORY: Story = { name: 'lost', pace: 10, steps: [{ thought: 0, words: 400, calls: [] }] }
/** Entries that the standby has, at least, and those that a reader has seen when the primary is lost. */
const SAFE_ENTRIES = 20
const LOST_ENTRIES = 150

describe.runIf(hasPostgres())('a failover to a standby that lags', () => {
  let home: string
  let database: ChaosDatabase
  let nodes: readonly ServerNode[] = []
  const urlOf = (index: number): string => nodes[index]?.url ?? ''
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-failover-'))
    database = await openDatabase({ nodes: 2, hasPooler: false })
    const databaseUrls = database.proxies.map(({ url }) => url)
    nodes = createNodes(home, { count: 2, databaseUrls, drainSeconds: 5 }, () => undefined)
    for (const node of nodes) await node.start()
  }, 60_000)
  afterEach(async () => {
    for (const node of nodes) await node.kill('SIGKILL')
    await database[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })

  it('refuses cursors of what is lost for good, and shows all readers one log', async () => {
    const message = { name: 'lost', thread: 'chaos-lost', agent: 'default', protocol: LOG_PROTOCOL }
    const started = await sendMessage(urlOf(0), { ...message, words: toMessage(STORY) })
    const runId = started.headers.get('x-run-id') ?? ''
    const reading = followUntilLost(await followRun(urlOf(1), runId, { protocol: LOG_PROTOCOL }))
    await vi.waitFor(() => expect(reading.seen()).toBeGreaterThan(SAFE_ENTRIES), { timeout: 20_000 })
    await database.addStandby('lagging')
    const end = reading.seen()
    const safe = reading.cursor()
    await vi.waitFor(() => expect(reading.seen()).toBeGreaterThan(end + LOST_ENTRIES), { timeout: 20_000 })
    await database.failOver()
    const cursor = reading.cursor()
    const resume = (after: string): Promise<Response> =>
      followRun(urlOf(1), runId, { protocol: LOG_PROTOCOL, after })

    await vi.waitFor(() => expect(resume(cursor)).rejects.toThrow('answered 409'), { timeout: 20_000 })
    expect(await reading.end).toBe('lost')
    const network = createRetryingNetwork(nodes, AbortSignal.timeout(60_000))
    // From one node and from the other.
    const body = await wholeOf(network, { runId, protocol: LOG_PROTOCOL })
    const other = await wholeOf(network, { runId, protocol: LOG_PROTOCOL })
    expect(fingerprint(other)).toBe(fingerprint(body))
    const events = body.map((frame) => entryOf(frame).event)
    const text = events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('')
    expect(text).toBe(wholeText(STORY))
    expect(events.at(-1)?.type).toBe('run.finished')
    // The new log has the same numbers.
    expect(body.length).toBeGreaterThan(Number.parseInt(cursor, 10))
    await expect(resume(cursor)).rejects.toThrow('answered 409')
    const rest = await (await resume(safe)).text()
    expect(rest).toContain(`"seq":${Number.parseInt(safe, 10) + 1},`)
  }, 120_000)
})

type Followed = { seen(): number; cursor(): string; end: Promise<'lost' | 'closed'> }

/** Reads a body until its connection is lost or it ends cleanly. `seen` is the last entry. */
function followUntilLost(response: Response): Followed {
  let last = 0
  let cursor = ''
  const read = async (): Promise<'lost' | 'closed'> => {
    let rest = Buffer.alloc(0)
    try {
      for await (const piece of response.body ?? []) {
        rest = Buffer.concat([rest, piece])
        const frames = wireFormatOf(LOG_PROTOCOL).frames(rest)
        for (const frame of frames) {
          last = entryOf(frame).seq
          cursor = frame.cursor ?? cursor
        }
        rest = rest.subarray(frames.at(-1)?.end ?? 0)
      }
      return 'closed'
    } catch {
      return 'lost'
    }
  }
  return { seen: () => last, cursor: () => cursor, end: read() }
}
