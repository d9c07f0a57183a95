import { ServiceError } from '../../errors.ts'
import { isLive, isStructure, type LogEntry, type NewRun, type RunEvent } from '../../events/index.ts'
import {
  isGone,
  mayClaim,
  newRow,
  nextRow,
  refusal,
  threadBusy,
  type Condition,
  type Reading,
  type RunRow,
  type Store,
} from '../../log/index.ts'

type Kept = { row: RunRow; log: LogEntry[]; changed: number }

/** Keeps runs for as long as the process lives. `clock` in ms since 1970. */
export function memoryStore(clock: () => number = Date.now): Store {
  const kept = new Map<string, Kept>()
  const keys = new Map<string, string>()
  const leases = new Map<string, number>()
  let changes = 0

  const must = (runId: string): Kept => {
    const found = kept.get(runId)
    if (!found) throw new ServiceError('not-found', `There is no run ${runId}.`)
    return found
  }
  const gone = (owner: string): boolean => isGone(owner, leases.get(owner) ?? 0, clock())
  const ofThread = (threadId: string): Kept[] =>
    [...kept.values()].filter(({ row }) => row.run.threadId === threadId)
  const holder = (threadId: string): Kept | undefined =>
    ofThread(threadId).find(({ row }) => row.run.status === 'running' || row.run.status === 'waiting')
  const isNext = ({ row: { run } }: Kept): boolean =>
    !holder(run.threadId) &&
    ofThread(run.threadId).find(({ row }) => row.run.status === 'queued')?.row.run.id === run.id

  const append = (runId: string, events: readonly RunEvent[], as?: Condition): LogEntry[] => {
    const held = must(runId)
    const refused = refusal(held.row.run, as)
    if (refused) throw refused
    const at = Math.max(clock(), held.log.at(-1)?.at ?? 0)
    held.changed = ++changes
    return events.map((event) => {
      held.row = nextRow(held.row, event, () => held.log)
      if (event.type === 'tool.answered' && event.key !== undefined)
        keys.set(keyOf(held.row.run.userId, event.key), runId)
      const entry = { seq: held.row.run.lastSeq, at, event }
      held.log.push(entry)
      return entry
    })
  }

  const admit = (run: NewRun, whenBusy: 'reject' | 'queue'): { run: RunRow['run']; created: boolean } => {
    const known = run.key === undefined ? undefined : keys.get(keyOf(run.userId, run.key))
    if (known !== undefined) return { run: must(known).row.run, created: false }
    const live = ofThread(run.threadId).find(({ row }) => isLive(row.run))
    if (live && whenBusy === 'reject') throw threadBusy(live.row.run)

    kept.set(run.id, { row: newRow(run, live ? 'queued' : 'running', clock()), log: [], changed: 0 })
    if (run.key !== undefined) keys.set(keyOf(run.userId, run.key), run.id)
    const { messageId, input } = run.request
    append(run.id, [{ type: 'run.started', agent: run.agent, messageId, input }])
    return { run: must(run.id).row.run, created: true }
  }

  return {
    create: async (run, whenBusy) => admit(run, whenBusy),
    get: async (runId) => kept.get(runId)?.row.run,
    async find(userId, key) {
      const runId = keys.get(keyOf(userId, key))
      if (runId !== undefined) return kept.get(runId)?.row.run
      return [...kept.values()]
        .map(({ row }) => row.run)
        .find((run) => run.userId === userId && run.messageId === key)
    },
    async list(threadId, { before, limit }) {
      const runs = ofThread(threadId)
        .map(({ row }) => row.run)
        .toReversed()
      const from = before === undefined ? 0 : runs.findIndex((run) => run.id === before) + 1
      return runs.slice(from, from + limit)
    },
    claimable: async (owner) =>
      [...kept.values()]
        .filter((held) => held.row.owner !== owner && mayClaim(held.row, clock(), gone, () => isNext(held)))
        .map(({ row }) => row.run),
    async claim(runId, owner) {
      const held = must(runId)
      const { run, owner: before } = held.row
      if (!isLive(run) || (before !== undefined && (before === owner || !gone(before)))) return undefined
      const status = run.status === 'queued' ? 'running' : run.status
      held.row = { ...held.row, run: { ...run, status, epoch: run.epoch + 1 }, owner }
      held.changed = ++changes
      return held.row.run.epoch
    },
    async alive(owner, forMs) {
      if (forMs > 0) leases.set(owner, clock() + forMs)
      else leases.delete(owner)
    },
    append: async (runId, events, as) => append(runId, events, as),
    read: async (runId, after, what = {}) => page(must(runId).log, after, what),
    async changed(after, limit) {
      const found = [...kept.values()]
        .filter(({ changed }) => changed > after)
        .toSorted((a, b) => a.changed - b.changed)
        .slice(0, limit)
      return { runs: found.map(({ row }) => row.run), cursor: found.at(-1)?.changed ?? after }
    },
    async remove(threadId) {
      for (const { row } of ofThread(threadId)) kept.delete(row.run.id)
      for (const [key, runId] of keys) if (!kept.has(runId)) keys.delete(key)
    },
    async [Symbol.asyncDispose]() {
      kept.clear()
    },
  }
}

function page(log: readonly LogEntry[], after: number, what: Reading): LogEntry[] {
  const { to = log.length, limit = 1000, structure } = what
  const entries = log.slice(after, to)
  return (structure ? entries.filter(({ event }) => isStructure(event)) : entries).slice(0, limit)
}

function keyOf(userId: string, key: string): string {
  return JSON.stringify([userId, key])
}
