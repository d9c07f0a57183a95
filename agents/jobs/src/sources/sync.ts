import { ServiceError } from 'dragoman/errors'
import { followed, type Listener } from './followed.ts'
import type { Source } from './source.ts'
import { syncSource, type Synced, type SyncPorts, type Tally } from './sync-source.ts'

/** What is told while sources are synced, in the words of older clients and of newer ones at once. */
export type Progress = {
  readonly type: 'progress'
  readonly status: 'searching' | 'processing'
  readonly synced: number
  readonly total: number
  readonly newJobs: number
  readonly message: string
  readonly source: string
}

export type Complete = {
  readonly type: 'complete'
  readonly status: 'complete'
  readonly synced: number
  readonly new: number
  readonly newJobs: number
  readonly total: number
  readonly message: string
  readonly sources: readonly SourceReport[]
}

type SourceReport = {
  readonly id: number
  readonly name: string
  readonly kind: string
  readonly synced: number
  readonly new: number
  readonly total: number
  readonly closed: number
  readonly error?: string
}

type Follower = { readonly tell: Listener<Progress>; readonly signal: AbortSignal }

/** Syncs users' sources. Each user has one sync at a time: who asks for another follows the one that goes on. */
export interface Syncs {
  /** Syncs these, one after the other; one that fails does not stop the rest. @throws ServiceError if all fail */
  run(userId: string, sources: readonly Source[], follower: Follower): Promise<Complete>
}

export function syncs(ports: SyncPorts): Syncs {
  const going = followed<Progress, Complete>()
  return {
    run: (userId, sources, follower) =>
      going.follow(userId, follower, (tell, signal) => syncAll(ports, sources, tell, signal)),
  }
}

async function syncAll(
  ports: SyncPorts,
  sources: readonly Source[],
  tell: Listener<Progress>,
  signal: AbortSignal,
): Promise<Complete> {
  const done: Synced[] = []
  for (const source of sources) {
    const before = sumOf(done)
    const tellOf = (status: Progress['status'], tally: Tally): void =>
      tell(progress(source, status, before, tally))
    tellOf('searching', sumOf([]))
    done.push(await syncSource(ports, source, (tally) => tellOf('processing', tally), signal))
  }
  const failed = done.filter(({ error }) => error)
  const [first] = failed
  if (first?.error && failed.length === done.length) {
    const { synced, total, new: newJobs } = sumOf(done)
    throw new ServiceError(first.error.code, failed.map(complaint).join(' '), {
      details: { synced, total, newJobs },
      ...(first.error.retryAfter !== undefined && { retryAfter: first.error.retryAfter }),
    })
  }
  return complete(done)
}

function sumOf(done: readonly Synced[]): Tally {
  const sum = { total: 0, synced: 0, new: 0, closed: 0 }
  for (const { tally } of done) {
    sum.total += tally.total
    sum.synced += tally.synced
    sum.new += tally.new
    sum.closed += tally.closed
  }
  return sum
}

function progress({ name }: Source, status: Progress['status'], before: Tally, tally: Tally): Progress {
  const message =
    status === 'searching'
      ? `Looking at ${name}.`
      : `${name}: ${countText(tally.total)}, ${tally.new} of them new to you.`
  return {
    type: 'progress',
    status,
    synced: before.synced + tally.synced,
    total: before.total + tally.total,
    newJobs: before.new + tally.new,
    message,
    source: name,
  }
}

function complete(done: readonly Synced[]): Complete {
  const sum = sumOf(done)
  const failed = done.filter(({ error }) => error)
  const closures = sum.closed > 0 ? ` ${countText(sum.closed)} no longer open.` : ''
  return {
    type: 'complete',
    status: 'complete',
    synced: sum.synced,
    new: sum.new,
    newJobs: sum.new,
    total: sum.total,
    message:
      done.length === 0
        ? 'There is no source to sync yet.'
        : [
            `${countText(sum.total)}, ${sum.new} of them new to you.${closures}`,
            ...failed.map(complaint),
          ].join(' '),
    sources: done.map(({ source, tally, error }) => ({
      id: source.id,
      name: source.name,
      kind: source.settings.kind,
      synced: tally.synced,
      new: tally.new,
      total: tally.total,
      closed: tally.closed,
      ...(error && { error: error.message }),
    })),
  }
}

function complaint({ source, error }: Synced): string {
  return `${source.name}: ${error?.message ?? ''}`
}

function countText(postings: number): string {
  return postings === 1 ? '1 posting' : `${postings.toLocaleString('en-US')} postings`
}
