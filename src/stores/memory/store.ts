import { ServiceError } from '../../errors.ts'
import {
  isLive,
  isStructure,
  type LogEntry,
  type NewRun,
  type Run,
  type RunEvent,
} from '../../events/index.ts'
import {
  isClaimable,
  isGone,
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
type Memory = {
  readonly runs: Map<string, Kept>
  readonly keys: Map<string, string>
  readonly leases: Map<string, number>
  changes: number
}

/** Keeps runs for as long as the process lives. */
export function memoryStore(): Store {
  const memory: Memory = { runs: new Map(), keys: new Map(), leases: new Map(), changes: 0 }
  return {
    create: async (run, whenBusy) => create(memory, run, whenBusy),
    get: async (runId) => memory.runs.get(runId)?.row.run,
    find: async (userId, key) => find(memory, userId, key),
    list: async (threadId, which) => list(memory, threadId, which),
    claimable: async (owner) => claimable(memory, owner),
    claim: async (runId, owner) => claim(memory, runId, owner),
    async alive(owner, forMs) {
      if (forMs > 0) memory.leases.set(owner, Date.now() + forMs)
      else memory.leases.delete(owner)
    },
    append: async (runId, events, as) => append(memory, runId, events, as),
    read: async (runId, after, what) => page(must(memory, runId).log, after, what),
    changed: async (after, limit) => changed(memory, after, limit),
    async remove(threadId) {
      for (const { row } of ofThread(memory, threadId)) memory.runs.delete(row.run.id)
      for (const [key, runId] of memory.keys) if (!memory.runs.has(runId)) memory.keys.delete(key)
    },
    async [Symbol.asyncDispose]() {
      memory.runs.clear()
    },
  }
}

function create(memory: Memory, run: NewRun, whenBusy: 'reject' | 'queue'): { run: Run; created: boolean } {
  const known = run.key === undefined ? undefined : memory.keys.get(keyOf(run.userId, run.key))
  if (known !== undefined) return { run: must(memory, known).row.run, created: false }
  const live = ofThread(memory, run.threadId).find(({ row }) => isLive(row.run))
  if (live && whenBusy === 'reject') throw threadBusy(live.row.run)

  memory.runs.set(run.id, { row: newRow(run, live ? 'queued' : 'running', Date.now()), log: [], changed: 0 })
  if (run.key !== undefined) memory.keys.set(keyOf(run.userId, run.key), run.id)
  const { messageId, input } = run.request
  append(memory, run.id, [{ type: 'run.started', agent: run.agent, messageId, input }])
  return { run: must(memory, run.id).row.run, created: true }
}

function find({ keys, runs }: Memory, userId: string, key: string): Run | undefined {
  const runId = keys.get(keyOf(userId, key))
  if (runId !== undefined) return runs.get(runId)?.row.run
  return [...runs.values()]
    .map(({ row }) => row.run)
    .find((run) => run.userId === userId && run.messageId === key)
}

function list(
  memory: Memory,
  threadId: string,
  { before, limit }: { before?: string; limit: number },
): Run[] {
  const runs = ofThread(memory, threadId)
    .map(({ row }) => row.run)
    .toReversed()
  const from = before === undefined ? 0 : runs.findIndex((run) => run.id === before) + 1
  return runs.slice(from, from + limit)
}

function claimable(memory: Memory, owner: string): Run[] {
  return [...memory.runs.values()]
    .filter(({ row }) => mayClaim(memory, row, owner))
    .filter((held) => isClaimable(held.row, Date.now(), () => isNext(memory, held)))
    .map(({ row }) => row.run)
}

function claim(memory: Memory, runId: string, owner: string): number | undefined {
  const held = must(memory, runId)
  const { run } = held.row
  if (!isLive(run) || !mayClaim(memory, held.row, owner)) return undefined
  const status = run.status === 'queued' ? 'running' : run.status
  held.row = { ...held.row, run: { ...run, status, epoch: run.epoch + 1 }, owner }
  held.changed = ++memory.changes
  return held.row.run.epoch
}

function append(memory: Memory, runId: string, events: readonly RunEvent[], as?: Condition): LogEntry[] {
  const held = must(memory, runId)
  const refused = refusal(held.row.run, as)
  if (refused) throw refused
  const at = Math.max(Date.now(), held.log.at(-1)?.at ?? 0)
  held.changed = ++memory.changes
  return events.map((event) => {
    held.row = nextRow(held.row, event, () => held.log)
    const { run } = held.row
    if (event.type === 'tool.answered' && event.key !== undefined)
      memory.keys.set(keyOf(run.userId, event.key), runId)
    const entry = { seq: run.lastSeq, at, event }
    held.log.push(entry)
    return entry
  })
}

function page(log: readonly LogEntry[], after: number, what: Reading = {}): LogEntry[] {
  const { to = log.length, limit = 1000, structure } = what
  const entries = log.slice(after, to)
  return (structure ? entries.filter(({ event }) => isStructure(event)) : entries).slice(0, limit)
}

function changed({ runs }: Memory, after: number, limit: number): { runs: Run[]; cursor: number } {
  const found = [...runs.values()]
    .filter((held) => held.changed > after)
    .toSorted((a, b) => a.changed - b.changed)
    .slice(0, limit)
  return { runs: found.map(({ row }) => row.run), cursor: found.at(-1)?.changed ?? after }
}

function must({ runs }: Memory, runId: string): Kept {
  const found = runs.get(runId)
  if (!found) throw new ServiceError('not-found', `There is no run ${runId}.`)
  return found
}

function mayClaim({ leases }: Memory, { owner: before }: RunRow, owner: string): boolean {
  return before === undefined || before === owner || isGone(before, leases.get(before) ?? 0, Date.now())
}

function ofThread({ runs }: Memory, threadId: string): Kept[] {
  return [...runs.values()].filter(({ row }) => row.run.threadId === threadId)
}

/** First in a free thread's queue. */
function isNext(memory: Memory, { row }: Kept): boolean {
  const all = ofThread(memory, row.run.threadId).map((held) => held.row.run)
  const free = !all.some(({ status }) => status === 'running' || status === 'waiting')
  return free && all.find(({ status }) => status === 'queued')?.id === row.run.id
}

function keyOf(userId: string, key: string): string {
  return JSON.stringify([userId, key])
}
