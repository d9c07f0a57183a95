import { addUsage, noUsage, type LogEntry, type RunSummary, type Usage } from 'dragoman/events'
import { nodeOf, type RunClaim } from 'dragoman/stores'
import { nodeName } from './names.ts'
import { tellEntries, type EntryTimes } from './tell-entries.ts'

/** One thing that happened to a run, in words. `at` is ISO 8601. */
export type Happening = { readonly at: string; readonly event: string; readonly text: string }

/** What happened to a run. Nothing in it is of its user, of its model's words, or of what tools gave. */
export type Explanation = {
  readonly run: string
  readonly thread: string
  readonly agent: string
  readonly user: string
  readonly status: RunSummary['status']
  readonly createdAt: string
  readonly log: 'kept' | 'deleted'
  readonly usage: Usage
  readonly nodes: readonly string[]
  readonly happenings: readonly Happening[]
}

export type Explained = {
  readonly run: RunSummary
  readonly claims: readonly RunClaim[]
  /** Those of the log's structure. */
  readonly entries: readonly LogEntry[]
  /** The times of entries without structure: the last ones before others, by the numbers of these, and of all. */
  readonly times: EntryTimes
  readonly hashUser: (userId: string) => string
}

export function explainRun({ run, claims, entries, times, hashUser }: Explained): Explanation {
  const { happenings, claims: usedClaims } = tellEntries({ run, claims, entries, times })
  const silentClaims = claims.filter((claim) => !usedClaims.has(claim)).map((claim) => tellClaim(claim, run))
  const all = [...happenings, ...silentClaims].toSorted((a, b) => a.at - b.at)
  const now = tellNow(run, claims.at(-1), times.last)
  if (now) all.push(now)
  return {
    run: run.id,
    thread: run.threadId,
    agent: run.agent,
    user: hashUser(run.userId),
    status: run.status,
    createdAt: new Date(run.createdAt).toISOString(),
    log: run.pruned ? 'deleted' : 'kept',
    usage: usageOf(entries),
    nodes: [...new Set(claims.map(({ owner }) => nodeOf(owner)))],
    happenings: all.map(({ at, event, text }) => ({ at: new Date(at).toISOString(), event, text })),
  }
}

/** Where a run goes on that has not ended. */
function tellNow({ status }: RunSummary, claim: RunClaim | undefined, at: number | undefined) {
  if (at === undefined) return undefined
  if (status === 'queued') return { at, event: 'run.queued', text: 'The run waits for its turn.' }
  if (status !== 'running') return undefined
  return { at, event: 'run.running', text: `The run goes on. ${nodeName(claim)} wrote its last entry.` }
}

/** A claim that no entry shows: the process ended before it wrote one, or the log was deleted. */
function tellClaim(claim: RunClaim, { pruned }: RunSummary) {
  const text = `${nodeName(claim)} took the run${pruned ? '' : ', and wrote nothing'}.`
  return { at: claim.at, event: 'run.claimed', text }
}

/** The terminal entry has the sum. */
function usageOf(entries: readonly LogEntry[]): Usage {
  const last = entries.at(-1)?.event
  if (last && 'usage' in last && last.type.startsWith('run.')) return last.usage ?? noUsage
  return entries.reduce(
    (sum, { event }) => (event.type === 'step.finished' ? addUsage(sum, event.usage) : sum),
    noUsage,
  )
}
