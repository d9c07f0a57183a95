import type { MessagePages } from '../api/queries.ts'
import type { Message, UserPart } from '../api/types.ts'
import type { LiveRun } from './live-run.ts'
import type { Outgoing } from './outbox.ts'

/** What a thread shows, in order: stored messages, and those that are on their way. */
export type Entry =
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      /** Whether its run waits for the run before it. */
      readonly isQueued: boolean
    }
  | { readonly kind: 'outgoing'; readonly key: string; readonly outgoing: Outgoing }

type Sources = {
  readonly pages: MessagePages | undefined
  readonly outbox: readonly Outgoing[]
  readonly liveRuns: readonly LiveRun[]
}

/** Joins what is stored with what is live. No message is in it twice, and none is missing. */
export function threadEntries({ pages, outbox, liveRuns: allRuns }: Sources): readonly Entry[] {
  const all = pages?.pages.toReversed().flatMap(({ messages }) => messages) ?? []
  // Until the log of its run names a message of the outbox, anything newer may be that message or its answer.
  const unconfirmed = outbox.filter(({ state, runId }) => state !== 'failed' && !userOf(runId, allRuns))
  const isShown = (id: string): boolean => unconfirmed.every(({ earlier }) => earlier.has(id))
  const stored = all.filter(({ id }) => isShown(id))
  const liveRuns = allRuns.filter(({ message }) => isShown(message.id))
  const isQueued = ({ hasBegun, runId }: LiveRun): boolean =>
    !hasBegun && liveRuns.some((other) => other.runId !== runId && other.hasBegun && other.state === 'active')
  const live = new Map(liveRuns.map((run) => [run.message.id, run]))
  const path = cutAtReplacement(stored, outbox, live)
  const entries = path.map((message): Entry => {
    const run = live.get(message.id)
    // What is stored is more than what has not been read yet.
    const isAhead = run?.hasBegun === false && message.role === 'assistant' && message.parts.length > 0
    if (!run || isAhead || message.role === 'user')
      return { kind: 'message', key: message.id, message, isQueued: false }
    const whole = { ...message, ...run.message }
    return { kind: 'message', key: message.id, message: whole, isQueued: isQueued(run) }
  })
  const pathIds = new Set(path.map(({ id }) => id))
  const addUser = (id: string, parts: readonly UserPart[]): void => {
    if (pathIds.has(id) || parts.length === 0) return
    entries.push({ kind: 'message', key: id, message: { role: 'user', id, parts }, isQueued: false })
  }
  for (const run of liveRuns) {
    if (!run.user) continue
    if (!isRegeneration(run, outbox)) addUser(run.user.id, run.user.parts)
    if (!pathIds.has(run.message.id))
      entries.push({ kind: 'message', key: run.message.id, message: run.message, isQueued: isQueued(run) })
  }
  for (const outgoing of outbox) {
    // The run's log has the message.
    if (userOf(outgoing.runId, liveRuns) || outgoing.parts.length === 0) continue
    entries.push({ kind: 'outgoing', key: outgoing.key, outgoing })
  }
  return entries
}

/** A message that replaces another one begins a new path: what followed the old one is not on it. */
function cutAtReplacement(
  stored: readonly Message[],
  outbox: readonly Outgoing[],
  live: ReadonlyMap<string, LiveRun>,
): readonly Message[] {
  const replaced = outbox.findLast(
    ({ replaces, state }) => replaces !== undefined && state !== 'failed',
  )?.replaces
  const at = stored.findIndex(({ id }) => id === replaced)
  // The stored messages may be those of the new path already.
  return at < 0 || stored.some(({ id }) => live.has(id)) ? stored : stored.slice(0, at)
}

/** The message that started a run, once it is read from the run's log. */
function userOf(runId: string | undefined, liveRuns: readonly LiveRun[]): LiveRun['user'] {
  return liveRuns.find((run) => run.runId === runId)?.user
}

function isRegeneration({ runId }: LiveRun, outbox: readonly Outgoing[]): boolean {
  return outbox.some((outgoing) => outgoing.runId === runId && outgoing.parts.length === 0)
}
