import { once } from 'node:events'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { openPostgres, type PostgresStorage } from '../../packages/postgres/src/index.ts'
import type { AppendReport } from './network-child.ts'
import { canOpenNamespace, openNetworkNamespace, type NetworkNamespace } from './network-namespace.ts'
import { NETWORK_AGENT, networkRun } from './network-run.ts'
import { findPostgresBinaries, giveToOrdinaryUser, hasPostgres } from './postgres-binaries.ts'
import { initializeServer, type PostgresServer } from './postgres-server.ts'

const SCRIPT = join(import.meta.dirname, 'network-child.ts')
const OWNER = 'here/1/b'
const LEASE_MS = 15_000
/** As many words show that a node speaks, or speaks again. */
const SOME_WORDS = 20
const SHORT_LOSS_MS = 1000
/** Longer than a statement waits for its answer. */
const LONG_LOSS_MS = 12_000
const IS_ROOM = { timeout: 30_000, interval: 50 }

/** A node inside the namespace that owns a run and speaks. */
type LostNode = AsyncDisposable & { readonly committed: readonly string[]; refusal(): string | undefined }

describe.skipIf(!hasPostgres() || !(await canOpenNamespace()))('a node whose network is gone', () => {
  let network: NetworkNamespace
  let server: PostgresServer
  let url: string
  let other: PostgresStorage
  const closings: (() => PromiseLike<unknown>)[] = []
  beforeAll(async () => {
    network = await openNetworkNamespace()
    closings.push(() => network[Symbol.asyncDispose]())
    const folder = await mkdtemp(join(tmpdir(), 'dragoman-network-'))
    closings.push(() => rm(folder, { recursive: true, force: true }))
    await giveToOrdinaryUser(folder)
    server = await initializeServer(findPostgresBinaries(), join(folder, 'data'), join(folder, 'log'))
    await listenTo(server.data, network)
    closings.push(() => server.stop('immediate'))
    await server.start()
    const inside = new URL(server.url)
    inside.hostname = network.hostAddress
    url = inside.href
    other = await openPostgres(server.url)
    closings.push(() => other.close())
    await other.store.alive(OWNER, LEASE_MS)
    await waitUntilItMayJudge(other)
  }, 120_000)
  afterAll(async () => {
    const errors: unknown[] = []
    for (const close of closings.toReversed()) {
      try {
        await close()
      } catch (error) {
        errors.push(error)
      }
    }
    expect(errors).toEqual([])
  }, 60_000)
  let node: LostNode
  const begin = async (runId: string): Promise<void> => {
    node = speakInside(network, [url, runId])
    await speaksOn()
  }
  const speaksOn = (): Promise<void> => {
    const before = node.committed.length
    return vi.waitFor(() => expect(node.committed.length).toBeGreaterThan(before + SOME_WORDS), IS_ROOM)
  }
  const mayClaim = async (runId: string): Promise<boolean> => {
    const found = await other.store.claimable(OWNER, { agents: [NETWORK_AGENT] })
    return found.some(({ id }) => id === runId)
  }
  const connectionsInside = async (): Promise<number> => {
    const inside = `SELECT FROM pg_stat_activity WHERE client_addr << '${network.subnet}'`
    return (await server.query(inside)).length
  }
  const entriesOf = async (runId: string) => {
    const entries = await other.store.read(runId, 1, { limit: 100_000 })
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_entry, n) => n + 2))
    return entries.map(({ event }) => ('delta' in event ? event.delta : event.type))
  }
  afterEach(async () => {
    await network.setLink('up')
    await node[Symbol.asyncDispose]()
  })

  it('loses its run to another node before its lease is over, and writes nothing more to it', async () => {
    await begin('run_lost')
    await network.setLink('down')
    await vi.waitFor(async () => expect(await mayClaim('run_lost')).toBe(true), {
      timeout: LEASE_MS - 1000,
      interval: 50,
    })
    expect(await other.store.claim('run_lost', OWNER)).toBe(2)
    const more = ['b:0 ', 'b:1 ']
    for (const delta of more) {
      await other.store.append('run_lost', [{ type: 'text.delta', partId: 'run_lost.1', delta }], {
        epoch: 2,
      })
    }
    expect(node.refusal()).toBeUndefined()

    await network.setLink('up')
    await vi.waitFor(() => expect(node.refusal()).toBe('fenced'), IS_ROOM)

    expect(await entriesOf('run_lost')).toEqual([...node.committed, ...more])
    expect((await other.store.get('run_lost'))?.status).toBe('running')
  })

  it('keeps its run over a loss of 1 s, and writes each word once', async () => {
    await begin('run_short')
    await network.setLink('down')
    const claimable: boolean[] = []
    for (const end = performance.now() + SHORT_LOSS_MS; performance.now() < end; await pause(50))
      claimable.push(await mayClaim('run_short'))
    await network.setLink('up')
    await speaksOn()

    expect([...claimable, await mayClaim('run_short')]).not.toContain(true)
    await node[Symbol.asyncDispose]()
    expectWritten(await entriesOf('run_short'), node)
  })

  it('leaves no connection at the server after a longer loss, and goes on if its run is still its own', async () => {
    await begin('run_long')
    await network.setLink('down')
    const loss = pause(LONG_LOSS_MS)
    await vi.waitFor(async () => expect(await connectionsInside()).toBe(0), IS_ROOM)
    await loss
    expect(node.refusal()).toBeUndefined()
    await network.setLink('up')
    await speaksOn()

    await node[Symbol.asyncDispose]()
    expectWritten(await entriesOf('run_long'), node)
  })
})

/** What it was told was committed, in order. It may have ended before it heard of the last word. */
function expectWritten(words: readonly string[], { committed }: LostNode): void {
  expect(words.slice(0, committed.length)).toEqual(committed)
  expect(words.length - committed.length).toBeLessThanOrEqual(1)
}

function speakInside(network: NetworkNamespace, args: readonly string[]): LostNode {
  const child = network.run(SCRIPT, args)
  const exited = once(child, 'exit')
  const committed: string[] = []
  let refused: string | undefined
  child.on('message', (report: AppendReport) => {
    if ('committed' in report) committed.push(report.committed)
    else refused = report.refused
  })
  return {
    committed,
    refusal: () => refused,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Lets a server that has not begun serve the namespace too. */
async function listenTo(data: string, { hostAddress, subnet }: NetworkNamespace): Promise<void> {
  // The last line of a name counts.
  await appendFile(join(data, 'postgresql.conf'), `listen_addresses = '127.0.0.1,${hostAddress}'\n`)
  await appendFile(join(data, 'pg_hba.conf'), `host all all ${subnet} trust\n`)
}

/** After the start of a database, and of a node, all owners count as alive for some seconds. */
async function waitUntilItMayJudge({ store }: PostgresStorage): Promise<void> {
  await store.alive('dead/1/c', 1)
  await store.create(networkRun('run_dead'), 'reject', 'dead/1/c')
  const ids = async (): Promise<string[]> => (await store.claimable(OWNER)).map(({ id }) => id)
  await vi.waitFor(async () => expect(await ids()).toContain('run_dead'), IS_ROOM)
}
