import { setTimeout as pause } from 'node:timers/promises'

import { isServiceError } from 'dragoman/errors'
import { openPostgres } from '../../packages/postgres/src/index.ts'
import { networkRun } from './network-run.ts'

/** As a node of a server does. */
const LEASE_MS = 15_000
const RENEW_INTERVAL_MS = 5000
const POLL_INTERVAL_MS = 500
const APPEND_INTERVAL_MS = 50

/** What the process tells its parent about each append. */
export type AppendReport = { readonly committed: string } | { readonly refused: string }

const [url = '', runId = ''] = process.argv.slice(2)
// Another host's name: its process id tells others nothing.
const owner = `${runId}/${process.pid}/a`
process.once('disconnect', () => process.exit())

const { store } = await openPostgres(url)
await store.alive(owner, LEASE_MS)
await store.create(networkRun(runId), 'reject', owner)
void every(RENEW_INTERVAL_MS, () => store.alive(owner, LEASE_MS))
void every(POLL_INTERVAL_MS, () => store.claimable(owner, { agents: [] }))
await speak()

/** Writes numbered words, one after the other, until one is refused. */
async function speak(): Promise<void> {
  for (let n = 0; ; n += 1) {
    const delta = `${runId}:${n} `
    try {
      await store.append(runId, [{ type: 'text.delta', partId: `${runId}.1`, delta }], { epoch: 1 })
    } catch (error) {
      return report({ refused: isServiceError(error) ? error.code : String(error) })
    }
    report({ committed: delta })
    await pause(APPEND_INTERVAL_MS)
  }
}

function report(what: AppendReport): void {
  process.send?.(what)
}

async function every(intervalMs: number, act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await act().catch(() => undefined)
    await pause(intervalMs)
  }
}
