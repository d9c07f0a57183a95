import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import {
  createServer,
  readConfig,
  ServiceError,
  type Agent,
  type AgentEngine,
  type Models,
} from '../packages/dragoman/src/index.ts'
import { piEngine } from '../packages/pi/src/index.ts'
import { openStorage } from '../apps/server/src/open-storage.ts'
import { bundledProtocols } from '../apps/server/test/support/bundled-protocols.ts'
import type { ModelEndpoint } from '../packages/dragoman/src/models/call-model.ts'
import { createResilientModel } from '../packages/dragoman/src/models/resilient-model.ts'
import { openSqlite } from '../packages/dragoman/src/stores/sqlite/index.ts'
import { benchModel, tokenStream } from './bench-model.ts'

/** The product with an agent that only streams text, in its own home. */

const failure = (cause: unknown): ServiceError =>
  new ServiceError('model-failed', 'The model failed.', { cause })
/** The model port of the product, as for a provider: with its watchdog, and with deltas merged that arrive together. */
const member: ModelEndpoint = {
  name: 'bench:speech',
  provider: 'bench',
  namespace: 'bench',
  idleTimeoutMs: 60_000,
  contextWindow: Number.POSITIVE_INFINITY,
  callsPerStep: 100,
  warn: () => undefined,
  load: async () => benchModel,
  failure,
}
const patience = { retries: 0, retryDelayMs: 0, usesFallback: () => false }
const load = () => createResilientModel([member], patience, { onModel: () => undefined })
const models: Models = {
  choose: () => ({ name: member.name, why: 'It is the bench.', load, failure }),
}

/** No model library: only the log, its encoding and its sending remain. */
const spine: AgentEngine = {
  name: 'spine',
  async run(_job, host) {
    await host.emit({ type: 'step.started', model: 'bench:speech' })
    await host.emit({ type: 'text.started', partId: 't' })
    for await (const delta of tokenStream()) {
      if (host.signal.aborted) return
      await host.emit({ type: 'text.delta', partId: 't', delta })
    }
    await host.emit({ type: 'text.ended', partId: 't' })
    const usage = { inputTokens: 10, outputTokens: 1000 }
    await host.emit({ type: 'step.finished', reason: 'stop', usage })
  },
}

const speakerAgent = (engine: string): Agent => ({
  id: 'bench',
  name: 'Bench',
  description: 'It speaks.',
  instructions: 'Speak.',
  engine,
  model: { primary: 'sonnet', fallback: 'haiku' },
  maxSteps: 1,
  tools: [],
})

/** In bytes: the whole database after a checkpoint, and the logs alone when packed. */
export type Disk = { readonly disk: number; readonly packed: number }

/** With `BENCH_DATABASE`, the URL of a PostgreSQL database, its data are there and count as nothing. */
export async function openProductServer(engine: string): Promise<{ url: string; end(): Promise<Disk> }> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
  const readSettings = readConfig(['--port', '0', '--home', home, '--log-level', 'error'], process.env)
  // The limit of readers is not measured.
  const config = { ...readSettings, readers: 100_000 }
  const agents = [speakerAgent(engine)]
  const protocols = bundledProtocols
  const storage = await openStorage({ env: { DATABASE_URL: process.env['BENCH_DATABASE'] } })
  const engines = [spine, piEngine()]
  const dragoman = await createServer({ ...storage, agents, config, models, engines, protocols })
  return {
    url: await dragoman.listen(),
    async end() {
      await dragoman.close()
      await storage?.close()
      const disk = storage ? 0 : await sizeOf(home)
      const packed = storage ? 0 : await packedSize(join(home, 'dragoman.db'))
      await rm(home, { recursive: true })
      return { disk, packed }
    },
  }
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The size of the log tables after packing, which a server does a minute after a run has ended. */
async function packedSize(file: string): Promise<number> {
  const { store } = openSqlite(file)
  while (await store.pack(Date.now() + 1));
  await store[Symbol.asyncDispose]()
  const db = new DatabaseSync(file, { readOnly: true })
  const size = db
    .prepare(
      `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE '%run_entries%' OR name LIKE '%run_pieces%'`,
    )
    .get() as { bytes: number }
  db.close()
  return size.bytes
}
