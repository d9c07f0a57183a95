import { setTimeout as wait } from 'node:timers/promises'

import type { NewRun } from '../packages/dragoman/src/events/index.ts'
import { ownerName, type Store } from '../packages/dragoman/src/log/index.ts'
import { prose } from './bench-model.ts'

/** Runs that speak at a pace, straight into a log. */

const TOKENS_PER_SECOND = 50
const INTERVAL_MS = 1000 / TOKENS_PER_SECOND
/** The name of this process. */
export const owner = ownerName()

let runs = 0

/** Admits this many runs, a few at a time, and gives their ids. */
export async function createRuns(store: Store, count: number, owned = owner): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => `run_${String(++runs).padStart(12, '0')}`)
  for (let at = 0; at < count; at += 100)
    await Promise.all(ids.slice(at, at + 100).map((id) => store.create(newRun(id), 'reject', owned)))
  return ids
}

function newRun(id: string): NewRun {
  const input = [{ type: 'text', text: 'go' }] as const
  return {
    id,
    threadId: id.replace('run', 'conv'),
    userId: 'bench',
    agent: 'bench',
    messageId: id.replace('run', 'msg'),
    request: { messageId: id.replace('run', 'msg_u'), input, context: {}, tools: [] },
    reply: { protocol: 'native', view: {} },
    onCrash: 'continue',
  }
}

/** Calls `say` for each token of each run, 50 times a second. Runs do not speak in step. */
export async function speak(
  runIds: readonly string[],
  seconds: number,
  say: (runId: string, delta: string) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const speakOne = async (runId: string, index: number): Promise<void> => {
    for (let token = 0; token < seconds * TOKENS_PER_SECOND; token++) {
      const due = began + ((index * 7) % INTERVAL_MS) + token * INTERVAL_MS
      await wait(Math.max(0, due - performance.now()))
      await say(runId, prose[token % prose.length] ?? '')
    }
  }
  await Promise.all(runIds.map(speakOne))
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
