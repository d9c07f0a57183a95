import { fork, type ChildProcess } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { Client } from 'pg'

import { nextMessage } from '../chaos/server-node.ts'
import { migrate } from '../packages/dragoman/src/database/index.ts'
import type { RunEvent } from '../packages/dragoman/src/events/index.ts'
import { collectMigrations } from '../packages/dragoman/src/server/migrations.ts'
import { createThreadServices } from '../packages/dragoman/src/threads/index.ts'
import { openPostgres } from '../packages/postgres/src/index.ts'
import { hasPostgres } from '../test/support/postgres-server.ts'
import { prose } from './bench-model.ts'
import { openBenchDatabase, type BenchDatabase } from './postgres-database.ts'
import type { UpkeepCommand, UpkeepReport, UpkeepWork } from './upkeep-node.ts'

const NODES = 3
const RUNS = 3000
/** Entries of an answer of some 20 s. */
const DELTAS = 100
const POLL_MS = 50
const usage = { inputTokens: 1, outputTokens: DELTAS }

/** Measures how fast three nodes write the rows of ended runs, and pack their logs. */
export async function measureUpkeep(url: string | undefined): Promise<string> {
  if (url === undefined && !hasPostgres()) return 'upkeep: there is no PostgreSQL here. Name one with --url.'
  const database = await openBenchDatabase(url)
  const client = new Client(database.url)
  try {
    await client.connect()
    await addEndedRuns(database.url)
    const countRows = async (sql: string): Promise<number> => {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${sql}`)
      return Number(rows[0]?.count)
    }
    const unwritten = async (): Promise<number> =>
      RUNS - (await countRows(`chat_messages WHERE role = 'assistant' AND finish_reason <> 'incomplete'`))
    const lines = [
      await measure('project', database, unwritten),
      await measure('pack', database, () => countRows('run_states WHERE form = 0')),
    ]
    return `upkeep of ${RUNS} ended runs of ${DELTAS} deltas, ${NODES} nodes\n${lines.join('\n')}`
  } finally {
    await client.end()
    await database.close()
  }
}

async function measure(
  work: UpkeepWork,
  database: BenchDatabase,
  countRest: () => Promise<number>,
): Promise<string> {
  const nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(database.url)))
  const send = (command: UpkeepCommand): void => nodes.forEach((node) => void node.send(command))
  const cpuBefore = await database.cpu()
  const startedAt = performance.now()
  send(work)
  while ((await countRest()) > 0) await wait(POLL_MS)
  const seconds = (performance.now() - startedAt) / 1000
  const answers = nodes.map((node) => nextMessage<UpkeepReport>(node))
  send('stop')
  const cpus = (await Promise.all(answers)).map(({ cpu }) => cpu / RUNS)
  const databaseCpu = ((await database.cpu()) - cpuBefore) / RUNS
  return (
    `  ${work}: ${(RUNS / seconds).toFixed(0)} runs/s; CPU a run ${sum(cpus).toFixed(0)} µs of the nodes ` +
    `(${cpus.map((cpu) => cpu.toFixed(0)).join(' + ')}), ${databaseCpu.toFixed(0)} µs of PostgreSQL; ` +
    `load of the machine ${loadavg()[0]?.toFixed(1)}`
  )
}

async function startNode(url: string): Promise<ChildProcess> {
  const node = fork(join(import.meta.dirname, 'upkeep-node.ts'), {
    env: { ...process.env, DATABASE_URL: url },
  })
  await nextMessage(node)
  return node
}

async function addEndedRuns(url: string): Promise<void> {
  const { store, database, close } = await openPostgres(url)
  await migrate(database, collectMigrations([]))
  const { threads } = createThreadServices(database, store, {})
  const add = async (index: number): Promise<void> => {
    const userId = `user_${index % 100}`
    const { thread } = await threads.open({ userId, agent: 'bench' })
    const id = `run_${String(index).padStart(12, '0')}`
    await store.create(
      {
        id,
        threadId: thread.id,
        userId,
        agent: 'bench',
        messageId: `msg_${id}`,
        request: {
          messageId: `msg_u_${id}`,
          input: [{ type: 'text', text: 'Tell me something about it.' }],
          context: {},
          tools: [],
        },
        reply: { protocol: 'native', view: {} },
        onCrash: 'continue',
      },
      'reject',
      'bench',
    )
    await store.append(id, answer(`${id}.1`), { epoch: 1 })
  }
  for (let at = 0; at < RUNS; at += 20) await Promise.all(Array.from({ length: 20 }, (_, n) => add(at + n)))
  await close()
}

function answer(partId: string): RunEvent[] {
  return [
    { type: 'text.started', partId },
    ...Array.from({ length: DELTAS }, (_, n): RunEvent => {
      return { type: 'text.delta', partId, delta: prose[n % prose.length] ?? '' }
    }),
    { type: 'text.ended', partId },
    { type: 'run.finished', reason: 'stop', usage },
  ]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
