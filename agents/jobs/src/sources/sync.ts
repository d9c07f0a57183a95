import { ServiceError } from 'dragoman/errors'
import { sharedWork, type Listener } from './shared-work.ts'
import type { Source } from './source.ts'
import { syncSource, type SyncPorts, type SyncResult, type Tally } from './sync-source.ts'

export type Progress = ReturnType<typeof progressOf>
export type Complete = ReturnType<typeof completeOf>

type Caller = { readonly tell: Listener<Progress>; readonly signal: AbortSignal }

/** Syncs users' sources. Each user has one sync at a time: a second caller follows the first one's. */
export interface Syncs {
  /** Syncs these one after the other. One that fails does not stop the rest. @throws ServiceError if all fail */
  run(userId: string, sources: readonly Source[], caller: Caller): Promise<Complete>
  /** Whether a sync of the user goes on in this process. */
  isRunning(userId: string): boolean
}

export function syncs(ports: SyncPorts): Syncs {
  const shared = sharedWork<Progress, Complete>()
  return {
    run: (userId, sources, caller) =>
      shared.run(userId, caller, (tell, signal) => syncAll(ports, sources, { tell, signal })),
    isRunning: shared.isRunning,
  }
}

async function syncAll(
  ports: SyncPorts,
  sources: readonly Source[],
  { tell, signal }: Caller,
): Promise<Complete> {
  const results: SyncResult[] = []
  for (const source of sources) {
    const before = sumOf(results)
    const report = (status: Progress['status'], tally: Tally): void =>
      tell(progressOf(source, status, before, tally))
    report('searching', sumOf([]))
    results.push(await syncSource(ports, source, (tally) => report('processing', tally), signal))
  }
  const failures = results.filter(({ error }) => error)
  const [first] = failures
  if (first?.error && failures.length === results.length) {
    const { total, synced, new: newJobs } = sumOf(results)
    throw new ServiceError(first.error.code, failures.map(failureText).join(' '), {
      details: { synced, total, newJobs },
      ...(first.error.retryAfter !== undefined && { retryAfter: first.error.retryAfter }),
    })
  }
  return completeOf(results)
}

function sumOf(results: readonly SyncResult[]): Tally {
  const sum = { total: 0, synced: 0, new: 0, closed: 0 }
  for (const { tally } of results) {
    sum.total += tally.total
    sum.synced += tally.synced
    sum.new += tally.new
    sum.closed += tally.closed
  }
  return sum
}

function progressOf({ name }: Source, status: 'searching' | 'processing', before: Tally, tally: Tally) {
  return {
    type: 'progress' as const,
    status,
    synced: before.synced + tally.synced,
    total: before.total + tally.total,
    newJobs: before.new + tally.new,
    message: status === 'searching' ? `Looking at ${name}.` : `${name}: ${tallyText(tally)}`,
    source: name,
  }
}

/** The counts under the names of older clients, and of newer ones. */
function completeOf(results: readonly SyncResult[]) {
  const sum = sumOf(results)
  const { closed, ...counts } = sum
  const closedText = closed > 0 ? ` ${countText(closed)} no longer open.` : ''
  const failures = results.filter(({ error }) => error).map(failureText)
  return {
    type: 'complete' as const,
    status: 'complete' as const,
    ...counts,
    newJobs: sum.new,
    message:
      results.length === 0
        ? 'There is no source to sync yet.'
        : [`${tallyText(sum)}${closedText}`, ...failures].join(' '),
    sources: results.map(({ source: { id, name, settings }, tally, error }) =>
      Object.assign({ id, name, kind: settings.kind }, tally, error && { error: error.message }),
    ),
  }
}

function failureText({ source, error }: SyncResult): string {
  return `${source.name}: ${error?.message ?? ''}`
}

function tallyText(tally: Tally): string {
  return `${countText(tally.total)}, ${tally.new} of them new to you.`
}

function countText(postings: number): string {
  return postings === 1 ? '1 posting' : `${postings.toLocaleString('en-US')} postings`
}
